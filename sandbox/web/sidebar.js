// The left side: channels with threads, direct messages, and the current person.

import { $, avatar, displayName, el, fill, icon } from "./dom.js";
import { addressOf, personRow } from "./people.js";
import { isArchived, isThread } from "./store.js";

const MAX_ARCHIVED = 32;

/** Paints the list of channels and the menu of people. */
export class Sidebar {
  constructor({ store, api, people, onError, openDm }) {
    Object.assign(this, { store, api, people, onError, openDm });
    this.nav = $("#channels");
    this.me = $("#me");
    this.showArchived = false;
  }

  render() {
    const { store } = this;
    $("#guild-name").textContent = store.guild.name;
    const focused = this.nav.contains(document.activeElement)
      ? document.activeElement.getAttribute("href")
      : null;
    const sections = store.sections();
    fill(
      this.nav,
      sections.map(({ guild, tree }) => [
        el("h2", {}, sections.length === 1 ? "Channels" : guild.name),
        el(
          "ul",
          {},
          tree.map(({ channel, threads }) => this.branch(channel, threads)),
        ),
      ]),
      el("h2", {}, "Direct messages"),
      el("ul", {}, this.dmRows()),
    );
    if (focused) [...this.nav.querySelectorAll("a")].find((a) => a.getAttribute("href") === focused)?.focus();
  }

  branch(channel, threads) {
    const archived = threads.filter(isArchived);
    const open = threads.filter((thread) => !isArchived(thread));
    const current = archived.filter((thread) => thread.id === this.store.current);
    const shown = this.showArchived ? archived.slice(0, MAX_ARCHIVED) : [...current];
    const more =
      archived.length > 0 &&
      el(
        "li",
        {},
        el(
          "button",
          {
            type: "button",
            class: "link archived-toggle",
            "aria-expanded": String(this.showArchived),
            on: { click: () => this.toggleArchived() },
          },
          this.showArchived ? "Hide archived threads" : `${archived.length} archived`,
        ),
      );
    const below = [...open, ...shown].map((thread) => this.row(thread));
    return el(
      "li",
      {},
      this.link(channel),
      (below.length > 0 || more) && el("ul", { class: "threads" }, below, more),
    );
  }

  toggleArchived() {
    this.showArchived = !this.showArchived;
    this.render();
    $(".archived-toggle", this.nav)?.focus();
  }

  row(channel) {
    return el("li", {}, this.link(channel));
  }

  link(channel) {
    const { dot, mentions } = this.store.unread(channel);
    const here = channel.id === this.store.current;
    const classes = ["channel"];
    if (here) classes.push("current");
    if (dot && !here) classes.push("unread");
    if (isArchived(channel)) classes.push("archived");
    const name = this.store.channelName(channel);
    return el(
      "a",
      { class: classes.join(" "), href: `#${channel.id}`, "aria-current": here ? "page" : null, title: name },
      this.iconOf(channel),
      el("span", { class: "name" }, name),
      isArchived(channel) && el("span", { class: "hidden-text" }, " (archived)"),
      mentions > 0 && !here && el("span", { class: "badge", "aria-label": `${mentions} for you` }, mentions),
      dot && !here && el("span", { class: "hidden-text" }, " unread"),
    );
  }

  iconOf(channel) {
    if (isThread(channel)) return icon("thread");
    const other = channel.recipients?.find((user) => user.id !== this.store.me.id);
    return other ? avatar(other, "small") : icon("hash");
  }

  dmRows() {
    const rows = this.store.dms().map((channel) => this.row(channel));
    const { user } = this.store.bot;
    const known = this.store.dms().some((c) => c.recipients?.some((other) => other.id === user?.id));
    if (user && !known) {
      rows.push(
        el(
          "li",
          {},
          el(
            "button",
            { type: "button", class: "channel", on: { click: () => this.openDm() } },
            avatar(user, "small"),
            el("span", { class: "name" }, `Message ${displayName(user)}`),
          ),
        ),
      );
    }
    return rows;
  }

  // The current person

  renderMe() {
    const { me } = this.store;
    const menu = el("div", { class: "me-menu", id: "me-menu", popover: "auto" });
    const button = el(
      "button",
      {
        type: "button",
        class: "me-button",
        popovertarget: "me-menu",
        "aria-label": `You are ${displayName(me)}. Switch person`,
      },
      avatar(me),
      el(
        "span",
        { class: "texts" },
        el("span", { class: "author" }, displayName(me)),
        el("span", { class: "note" }, "Switch person"),
      ),
      icon("up"),
    );
    menu.addEventListener("toggle", async (event) => {
      if (event.newState !== "open") return;
      await this.fillMenu(menu);
      $("a, button", menu)?.focus();
    });
    fill(this.me, menu, button);
  }

  async fillMenu(menu) {
    const { me } = this.store;
    let people = [];
    try {
      people = await this.people.list();
    } catch (error) {
      this.onError(error.message);
    }
    const dms = el("input", {
      type: "checkbox",
      checked: me.dms_open,
      on: { change: (event) => this.setDms(event.target) },
    });
    fill(
      menu,
      el("h3", {}, "Switch to"),
      el(
        "ul",
        {},
        people.map((person) => personRow(person, person.id === me.id)),
      ),
      this.people.addForm((person) => location.assign(addressOf(person))),
      el("label", { class: "dms" }, dms, "The bot may send me direct messages"),
    );
  }

  async setDms(box) {
    try {
      await this.api.dms(box.checked);
      this.store.me.dms_open = box.checked;
    } catch (error) {
      box.checked = this.store.me.dms_open;
      this.onError(error.message);
    }
  }
}
