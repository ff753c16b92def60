// Formatting of times.

const format = (options) => new Intl.DateTimeFormat(undefined, options);
const TIME = format({ hour: "2-digit", minute: "2-digit" });
const LONG = format({ dateStyle: "full", timeStyle: "short" });
const DAY = format({ dateStyle: "long" });
const STYLES = {
  t: TIME,
  T: format({ timeStyle: "medium" }),
  d: format({ dateStyle: "short" }),
  D: DAY,
  f: format({ dateStyle: "long", timeStyle: "short" }),
  F: LONG,
};
const RELATIVE = new Intl.RelativeTimeFormat(undefined, { numeric: "auto" });
const UNITS = [
  ["year", 31536000],
  ["month", 2592000],
  ["day", 86400],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
];

let ahead = 0;

/** Set how many seconds the sandbox's clock is ahead. */
export function setAhead(seconds) {
  ahead = seconds;
}

/** The sandbox's time in milliseconds. */
export const present = () => Date.now() + ahead * 1000;

/** "in 3 hours", "2 days ago". */
export function relative(unix, now = present() / 1000) {
  const seconds = Math.round(unix - now);
  const [unit, size] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? ["second", 1];
  return RELATIVE.format(Math.trunc(seconds / size), unit);
}

/** A timestamp of Discord's markdown in one of its styles. */
export function stamped(unix, style) {
  return style === "R" ? relative(unix) : STYLES[style].format(new Date(unix * 1000));
}

/** The full date, for tooltips. */
export const full = (date) => LONG.format(date);

/** The time only, for rows that follow one of the same author. */
export const hour = (date) => TIME.format(date);

/** A day, for the divider between two days. */
export const day = (date) => DAY.format(date);

/** "Today 14:03", "Yesterday 14:03" or a date with the time; `today` is the prefix for today. */
export function headed(date, now = new Date(present()), today = "Today ") {
  const days = Math.round((midnight(now) - midnight(date)) / 86400000);
  if (days === 0) return today + TIME.format(date);
  return days === 1 ? `Yesterday ${TIME.format(date)}` : STYLES.f.format(date);
}

const midnight = (date) => new Date(date).setHours(0, 0, 0, 0);

/** Update all relative times on the page. */
export function tick(root = document) {
  for (const node of root.querySelectorAll("time[data-relative]")) {
    node.textContent = relative(Number(node.dataset.relative));
  }
}

/** Keep all relative times on the page up to date. */
export function keepTicking() {
  setInterval(tick, 5000);
}
