// Dates, times and lengths as people say them.

import { language, words } from "./words.js";

export const clock = (minutes) => `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;

export function minuteOf(time) {
  const [hours, minutes] = time.split(":").map(Number);
  return hours * 60 + minutes;
}

const noon = (date) => new Date(`${date}T12:00:00Z`);

export function plusDays(date, days) {
  const moved = noon(date);
  moved.setUTCDate(moved.getUTCDate() + days);
  return moved.toISOString().slice(0, 10);
}

export function daysBetween(from, to) {
  return Math.round((noon(to) - noon(from)) / 86400000);
}

export function dayName(date, today) {
  const locale = language() === "zh" ? "zh-CN" : "en-GB";
  const shown = new Intl.DateTimeFormat(locale, { month: "short", day: "numeric", weekday: "short", timeZone: "UTC" });
  const relative = words().relative[daysBetween(today, date)];
  return relative ? `${relative} · ${shown.format(noon(date))}` : shown.format(noon(date));
}

export function length(minutes) {
  return language() === "zh" ? `${minutes}分钟` : `${minutes} minutes`;
}

export function people(count) {
  return language() === "zh" ? `${count}人` : `${count} people`;
}

export const named = (name) => name[language()];
export const interval = (start, minutes) => `${clock(start)}–${clock(start + minutes)}`;
export const equipment = (items) => items.map((item) => words().equipment[item] ?? item).join(language() === "zh" ? "、" : ", ");

// Where a room is, for those who have to find it.
export function place(roomId, site) {
  const room = site.rooms.find((item) => item.id === roomId);
  if (!room) return roomId;
  const building = site.buildings.find((item) => item.code === room.building);
  return [roomId, named(building.name), words().floor(room.floor)].join(" · ");
}
