// Values to offer for a slot: few enough for a small screen, and all of them legal. Minutes are minutes after midnight.

import { daysBetween, plusDays } from "./format.js";

export const MOST = 8;
const USUAL_MINUTES = [30, 45, 60, 90, 120, 180];

const STEP = 30;
const DAY_BEGINS = 9 * 60;
const DAY_ENDS = 18 * 60;

export function dates(site) {
  const count = Math.min(MOST, daysBetween(site.first_date, site.last_date) + 1);
  return Array.from({ length: count }, (_, days) => plusDays(site.first_date, days));
}

export function lengths({ durations }) {
  return durations.length > MOST ? durations.filter((minutes) => USUAL_MINUTES.includes(minutes)) : durations;
}

// Every half hour of the usual day that the house rules allow; outside of it the first hours that are left.
export function starts(site, slots) {
  const step = Math.ceil(STEP / site.start_grid) * site.start_grid;
  const last = site.closes - (slots.duration_minutes ?? site.durations[0]);
  const open = slots.date === site.today ? Math.max(site.opens, minuteNow(site) + 1) : site.opens;
  const legal = [];
  for (let minute = Math.ceil(open / step) * step; minute <= last; minute += step) legal.push(minute);
  const usual = legal.filter((minute) => minute >= DAY_BEGINS && minute < DAY_ENDS);
  return usual.length ? usual : legal.slice(0, (DAY_ENDS - DAY_BEGINS) / STEP);
}

// The office's clock: what it showed when the page asked, and what has passed since.
function minuteNow(site) {
  return site.now + Math.floor((performance.now() - site.askedAt) / 60000);
}
