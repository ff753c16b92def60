// The list of messages, synchronized with the store and scrolled like a chat.

import { $, el, fill } from "./dom.js";
import { day } from "./clock.js";
import { continues, paintMessage, timeOf } from "./messages.js";
import { isDm, isThread } from "./store.js";

const PAGE_SIZE = 50;
const BOTTOM_MARGIN_PX = 60;

/** Shows one channel. Rows of unchanged messages keep their element, with focus and pictures. */
export class Feed {
  constructor({ store, api, ctx, onError }) {
    Object.assign(this, { store, api, ctx, onError });
    this.scroller = $("#scroller");
    this.list = $("#messages");
    this.jump = $("#jump");
    this.rows = new Map();
    this.channel = null;
    this.sticky = true;
    this.below = 0;
    this.scroller.addEventListener("scroll", () => this.scrolled(), { passive: true });
    this.jump.addEventListener("click", () => this.toPresent());
    // Loaded pictures and resized windows must not push the newest message out of view.
    new ResizeObserver(() => this.keep()).observe(this.list);
    new ResizeObserver(() => this.keep()).observe(this.scroller);
    document.addEventListener("visibilitychange", () => this.seen());
  }

  /** Show a channel at its newest message, or at `target`. */
  async open(channel, target = null) {
    const changed = this.channel !== channel;
    if (changed) {
      this.channel = channel;
      this.unreadFrom = this.lastRead(channel);
      this.rows.clear();
      fill(this.list);
      this.sticky = true;
      this.below = 0;
    }
    if (!this.store.loaded.has(channel)) await this.load(channel);
    if (this.channel !== channel) return;
    this.render();
    if (target) await this.show(target);
    else if (changed) this.toPresent();
    this.seen();
  }

  /** The message above the divider *New*; null: nothing is unread. */
  lastRead(id) {
    const channel = this.store.channels.get(id);
    return channel && this.store.unread(channel).dot ? (this.store.read[id] ?? null) : null;
  }

  async load(channel, before) {
    this.list.setAttribute("aria-busy", "true");
    try {
      this.store.addPage(channel, await this.api.messages(channel, { limit: PAGE_SIZE, before }), PAGE_SIZE);
    } catch (error) {
      this.onError(error.message);
    } finally {
      this.list.removeAttribute("aria-busy");
    }
  }

  async older() {
    const oldest = this.store.list(this.channel).find((message) => !message.local);
    if (this.loadingOlder || !oldest || this.store.complete.has(this.channel)) return false;
    this.loadingOlder = true;
    const { scrollHeight, scrollTop } = this.scroller;
    await this.load(this.channel, oldest.id);
    this.render();
    this.scroller.scrollTop = scrollTop + this.scroller.scrollHeight - scrollHeight;
    this.loadingOlder = false;
    return true;
  }

  /** Scroll to a message, loading older pages until it is found. */
  async show(id) {
    while (!this.rows.has(id) && (await this.older()));
    const row = this.rows.get(id)?.node;
    if (!row) {
      this.onError("That message is gone.");
      return;
    }
    this.sticky = false;
    row.scrollIntoView({ block: "center" });
    row.classList.add("flash");
    setTimeout(() => row.classList.remove("flash"), 1600);
  }

  /** Update the rows from the store. */
  render() {
    if (!this.channel) return;
    const messages = this.store.list(this.channel);
    const focused = this.focusKey();
    const wanted = [this.beginning()];
    const rows = new Map();
    let above = null;
    for (const message of messages) {
      wanted.push(...this.between(message, above));
      const row = this.rowOf(message, continues(message, above) && !this.divides(message, above));
      rows.set(message.id, row);
      wanted.push(row.node);
      above = message;
    }
    this.rows = rows;
    this.arrange(wanted.filter(Boolean));
    this.refocus(focused);
    this.keep();
    this.seen();
  }

  rowOf(message, grouped) {
    const thread = this.store.channels.get(message.id);
    const sign = [
      message.rev,
      grouped,
      this.ctx.revisionOf(message.id),
      thread && JSON.stringify(thread),
    ].join("|");
    const known = this.rows.get(message.id);
    if (known?.sign === sign) return known;
    return { sign, node: paintMessage(message, { grouped, ctx: this.ctx }) };
  }

  /** Make these nodes the list's only children, moving as few as possible. */
  arrange(wanted) {
    const keep = new Set(wanted);
    for (const child of [...this.list.children]) if (!keep.has(child)) child.remove();
    wanted.forEach((node, i) => {
      if (this.list.children[i] !== node) this.list.insertBefore(node, this.list.children[i] ?? null);
    });
  }

  focusKey() {
    const node = document.activeElement;
    if (!this.list.contains(node)) return null;
    return { node, key: node.dataset.key, id: node.closest(".message")?.dataset.id };
  }

  /** Restore the focus if the focused button was replaced. */
  refocus(focused) {
    if (!focused || focused.node.isConnected) return;
    const row = this.rows.get(focused.id)?.node;
    const keyed = [...(row?.querySelectorAll("[data-key]") ?? [])];
    const again =
      keyed.find((node) => node.dataset.key === focused.key) ?? keyed.find((node) => !node.disabled);
    again?.focus({ preventScroll: true });
  }

  divides(message, above) {
    return new Date(timeOf(message)).toDateString() !== new Date(timeOf(above)).toDateString();
  }

  between(message, above) {
    const lines = [];
    if (!message.local && (!above || this.divides(message, above))) {
      lines.push(
        el("li", { class: "divider", role: "separator" }, el("span", {}, day(new Date(timeOf(message))))),
      );
    }
    if (this.unreadFrom && above?.id === this.unreadFrom) {
      lines.push(el("li", { class: "divider new", role: "separator" }, el("span", {}, "New")));
    }
    return lines;
  }

  beginning() {
    const channel = this.store.channels.get(this.channel);
    if (!channel || !this.store.complete.has(this.channel)) return null;
    const name = this.store.channelName(channel);
    const lead = isDm(channel)
      ? `with ${name}. Nobody else sees it.`
      : `of ${isThread(channel) ? "the thread " : "#"}${name}.`;
    return el("li", { class: "beginning" }, el("h3", {}, name), el("p", {}, `This is the beginning ${lead}`));
  }

  // Scrolling

  distance() {
    return this.scroller.scrollHeight - this.scroller.scrollTop - this.scroller.clientHeight;
  }

  scrolled() {
    this.sticky = this.distance() < BOTTOM_MARGIN_PX;
    this.mark();
    if (this.sticky) this.seen();
    if (this.scroller.scrollTop < 240) this.older();
  }

  keep() {
    if (this.sticky) this.scroller.scrollTop = this.scroller.scrollHeight;
    this.mark();
  }

  toPresent() {
    this.sticky = true;
    this.keep();
    this.seen();
  }

  /** Count new messages while older ones are being read. */
  arrived() {
    if (!this.sticky) this.below += 1;
    this.mark();
  }

  mark() {
    if (this.sticky) this.below = 0;
    this.jump.hidden = this.sticky || this.distance() < BOTTOM_MARGIN_PX;
    const count = this.below ? `${this.below} new ${this.below === 1 ? "message" : "messages"} · ` : "";
    this.jump.textContent = `${count}Jump to present`;
  }

  seen() {
    if (this.channel && this.sticky && !document.hidden && this.store.loaded.has(this.channel)) {
      this.store.markRead(this.channel);
    }
  }
}
