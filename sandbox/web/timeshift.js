// Controls for the sandbox's clock: see at once what takes days on Discord.

import { $, el, fill } from "./dom.js";
import { moveClock } from "./api.js";

const STEPS = [
  ["10 minutes", 600],
  ["1 hour", 3600],
  ["1 day", 86400],
  ["3 days", 259200],
];

/** Shows how far the clock is ahead, and the buttons that advance it. */
export class Timeshift {
  constructor({ onError }) {
    this.onError = onError;
    this.summary = $("#timeshift summary");
    const buttons = STEPS.map(([label, seconds]) =>
      el("button", { type: "button", class: "step", on: { click: () => this.move(seconds) } }, `+ ${label}`),
    );
    fill($("#timeshift-steps"), ...buttons);
    this.render(0);
  }

  async move(seconds) {
    try {
      await moveClock(seconds);
    } catch (error) {
      this.onError(error.message);
    }
  }

  render(ahead) {
    this.summary.textContent = ahead ? `Clock: ${span(ahead)} ahead` : "Move the clock";
  }
}

/** "2 d 3 h", "10 min". */
export function span(seconds) {
  const minutes = Math.round(seconds / 60);
  const parts = [
    [Math.floor(minutes / 1440), "d"],
    [Math.floor(minutes / 60) % 24, "h"],
    [minutes % 60, "min"],
  ];
  return parts
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(" ");
}
