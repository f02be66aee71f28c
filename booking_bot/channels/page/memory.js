// What the browser remembers between visits. Works without any storage too, until the page is closed.

function remembered(storage, key) {
  let value = null;
  return {
    get() {
      try {
        return storage().getItem(key) ?? value;
      } catch {
        return value;
      }
    },
    set(next) {
      value = next;
      try {
        if (next === null) storage().removeItem(key);
        else storage().setItem(key, next);
      } catch {
        // Storage is blocked or full: the value above serves.
      }
    },
  };
}

const local = () => window.localStorage;
const session = () => window.sessionStorage;

// One session for all tabs of this browser: two tabs show the same talk.
export const SESSION = "booking-bot.session";
export const sessionId = remembered(local, SESSION);
export const LANGUAGE = "booking-bot.language";
export const THEME = "booking-bot.theme";
export const chosenLanguage = remembered(local, LANGUAGE);
export const chosenTheme = remembered(local, THEME);
export const token = remembered(session, "booking-bot.token");

// A link may bring the token behind a #, which browsers send to no server.
export function takeTokenFromAddress() {
  const match = /^#token=([\w.-]+)$/.exec(window.location.hash);
  if (!match) return;
  token.set(match[1]);
  window.history.replaceState(null, "", window.location.pathname);
}
