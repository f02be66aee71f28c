// Read-only data beside the chat.

import { token } from "./memory.js";
import { parsed } from "./reading.js";

async function get(path) {
  const held = token.get();
  const headers = held ? { Authorization: `Bearer ${held}` } : {};
  const response = await fetch(path, { headers, signal: AbortSignal.timeout(15000) });
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return response;
}

const read = async (path) => parsed(await (await get(path)).text());

export const site = async () => ({ ...(await read("/api/site")), askedAt: performance.now() });
export const ownBookings = async () => (await read("/api/bookings")).bookings;
export const transcript = async (session) => (await get(`/api/transcript?session=${encodeURIComponent(session)}`)).text();

// A day is asked for by several parts of the page at once: one request serves them all for a moment.
const KEPT_MS = 10000;
const days = new Map();

export function day(date) {
  const kept = days.get(date);
  if (kept && Date.now() - kept.at < KEPT_MS) return kept.answer;
  const answer = read(`/api/day?date=${encodeURIComponent(date)}`);
  days.set(date, { at: Date.now(), answer });
  answer.catch(() => days.delete(date));
  return answer;
}

export function forgetDays() {
  days.clear();
}
