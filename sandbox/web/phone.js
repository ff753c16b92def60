// A locked phone: the notifications of this window's person, newest first.

import { $, displayName, el, fill, icon } from "./dom.js";
import { full, headed } from "./clock.js";

/** In narrow windows, the phone covers the page instead of standing beside it; same as in phone.css. */
const NARROW_QUERY = "(max-width: 1000px)";
const CLOCK = new Intl.DateTimeFormat(undefined, { hour: "numeric", minute: "2-digit" });
const DATE = new Intl.DateTimeFormat(undefined, { weekday: "long", day: "numeric", month: "long" });

/** Shows the store's notifications. `go(channel, message)` opens a message. */
export class Phone {
  constructor({ store, go }) {
    Object.assign(this, { store, go });
    this.aside = $("#phone");
    this.opener = $("#open-phone");
    this.known = new Set();
    this.badge = el("span", { class: "badge", hidden: true });
    fill(this.opener, icon("phone"), this.badge);
    fill($("#lock"), icon("lock"));
    this.opener.addEventListener("click", () => (this.isOpen ? this.close() : this.open()));
    $("#close-phone").addEventListener("click", () => this.close());
    this.aside.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      this.close();
    });
    this.narrow = window.matchMedia(NARROW_QUERY);
    this.narrow.addEventListener("change", () => this.cover());
    setInterval(() => this.tick(), 5000);
    this.tick();
  }

  get isOpen() {
    return !this.aside.hidden;
  }

  open() {
    this.aside.hidden = false;
    this.opener.setAttribute("aria-expanded", "true");
    this.cover();
    this.render();
    $("#close-phone").focus();
  }

  close() {
    this.aside.hidden = true;
    this.opener.setAttribute("aria-expanded", "false");
    this.cover();
    this.opener.focus();
  }

  /** Keep the keyboard out of what the phone covers. */
  cover() {
    const covered = this.isOpen && this.narrow.matches;
    for (const part of ["#main", "#drawer"]) $(part).inert = covered;
  }

  tick() {
    const now = new Date();
    // Lock screens show neither AM nor PM.
    const parts = CLOCK.formatToParts(now).filter((part) => part.type !== "dayPeriod");
    $("#lock-time").textContent = parts.map((part) => part.value).join("").trim();
    $("#lock-date").textContent = DATE.format(now);
  }

  /** Render all notifications. New ones slide in, and are announced to screen readers. */
  render() {
    const { waiting, cleared } = this.store.phone();
    const fresh = waiting.filter((note) => !this.known.has(note.message_id));
    for (const note of fresh) this.known.add(note.message_id);
    this.paintBadge(waiting.length);
    if (!this.isOpen) return;
    $("#phone-title").textContent = `${displayName(this.store.me)}'s locked phone`;
    const focused = document.activeElement?.closest?.(".ping")?.dataset.id;
    fill(
      $("#pings"),
      waiting.length
        ? waiting.map((note) => this.row(note, fresh.includes(note)))
        : el("li", { class: "no-pings" }, "No notifications"),
    );
    $("#cleared").hidden = cleared.length === 0;
    $("#cleared-count").textContent = `Cleared (${cleared.length})`;
    fill(
      $("#cleared-pings"),
      cleared.map((note) => this.row(note)),
    );
    $("#phone-news").textContent = fresh.length ? spoken(fresh[0]) : "";
    if (focused) [...this.aside.querySelectorAll(".ping")].find((p) => p.dataset.id === focused)?.focus();
  }

  paintBadge(count) {
    this.badge.hidden = count === 0;
    this.badge.textContent = count;
    this.opener.setAttribute("aria-label", `The locked phone, ${count || "no"} notifications`);
  }

  row(note, fresh = false) {
    const when = new Date(note.at * 1000);
    const card = el(
      "a",
      {
        class: fresh ? "ping fresh" : "ping",
        href: `#${note.channel_id}/${note.message_id}`,
        dataset: { id: note.message_id },
        on: { click: (event) => this.unlock(event, note) },
      },
      el("span", { class: "ping-icon" }, icon("bubble")),
      el(
        "span",
        { class: "ping-texts" },
        el(
          "span",
          { class: "ping-head" },
          el("span", { class: "ping-app" }, "Discord"),
          el("time", { datetime: when.toISOString(), title: full(when) }, headed(when, new Date(), "")),
        ),
        el("strong", { class: "ping-title", title: note.title }, note.title),
        note.text
          ? el("span", { class: "ping-text" }, note.text)
          : el("span", { class: "ping-text wordless" }, "No text: the phone shows the lines above alone."),
      ),
    );
    return el("li", {}, card);
  }

  unlock(event, note) {
    event.preventDefault();
    if (this.narrow.matches) this.close();
    this.go(note.channel_id, note.message_id);
  }
}

const spoken = (note) => `Notification. ${note.title}: ${note.text || "no text"}`;
