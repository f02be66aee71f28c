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

// A date with its weekday, in the words the bot itself uses: 12月1日 周二, Tue 1 Dec.
export function dateWords(date) {
  const weekday = datePart(date, { weekday: "short" });
  return language() === "zh" ? `${dayOfMonth(date)} ${weekday}` : `${weekday} ${dayOfMonth(date)}`;
}

export const dayOfMonth = (date) => datePart(date, { month: "short", day: "numeric" });

function datePart(date, options) {
  const locale = language() === "zh" ? "zh-CN" : "en-GB";
  return new Intl.DateTimeFormat(locale, { ...options, timeZone: "UTC" }).format(noon(date));
}

export const relativeDay = (date, today) => words().relative[daysBetween(today, date)];

export function dayName(date, today) {
  const relative = relativeDay(date, today);
  return relative ? `${relative} · ${dateWords(date)}` : dateWords(date);
}

export function length(minutes) {
  return language() === "zh" ? `${minutes}分钟` : `${minutes} minutes`;
}

export function people(count) {
  return language() === "zh" ? `${count}人` : count === 1 ? "1 person" : `${count} people`;
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
