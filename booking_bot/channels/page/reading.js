// Reads what the server sends. Marks that turn the reading direction are taken out: a title or a name must not turn
// the words around it, least of all those of a read-back.

const TURNING = /[\u200E\u200F\u061C\u202A-\u202E\u2066-\u2069]/g;

const straight = (_key, value) => (typeof value === "string" ? value.replace(TURNING, "") : value);

export const parsed = (json) => JSON.parse(json, straight);
