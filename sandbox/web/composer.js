// The input at the bottom: a message, or a slash command with completion.

import { $, el, fill, icon } from "./dom.js";
import { flatten, matching, typed } from "./commands.js";
import { Listbox } from "./listbox.js";
import { OptionForm } from "./optionform.js";
import { isArchived, isDm } from "./store.js";

const MAX_MESSAGE_CHARS = 2000;
const WARN_FROM_CHARS = 1800;
const TYPING_INTERVAL_MS = 8000;

/** `run(path, values)` and `say(text)` resolve to null, or to the reason of a failure. */
export class Composer {
  constructor({ store, run, say, complete, onTyping }) {
    Object.assign(this, { store, run, say, complete, onTyping });
    this.lastTypingAt = 0;
    this.form = $("#composer");
    this.help = $("#help");
    this.bar = $("#bar");
    this.notice = $("#notice");
    this.drafts = new Map();
    this.channel = null;
    this.options = null;
    this.list = new Listbox({ label: "Commands", onPick: (item) => this.start(item.value) });
    this.text = el("textarea", {
      id: "text",
      rows: "1",
      role: "combobox",
      "aria-expanded": "false",
      "aria-autocomplete": "list",
      "aria-label": "Message, or / for a command",
      autocomplete: "off",
      on: {
        input: () => this.typing(),
        keydown: (event) => this.key(event),
        blur: () => this.options || this.hide(),
      },
    });
    this.slash = el(
      "button",
      {
        type: "button",
        class: "round",
        "aria-label": "Commands",
        title: "Commands",
        on: { click: () => this.offerAll() },
      },
      icon("slash"),
    );
    this.send = el(
      "button",
      { type: "submit", class: "round", "aria-label": "Send", title: "Send" },
      icon("send"),
    );
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.submit();
    });
    this.plain();
  }

  entries() {
    const dm = isDm(this.store.channels.get(this.channel));
    return flatten(this.store.commands, { dm, locale: this.store.me.locale });
  }

  /** Switch to another channel, keeping a draft per channel. */
  open(channel) {
    if (this.channel !== channel) {
      if (this.channel) this.drafts.set(this.channel, this.text.value);
      this.channel = channel;
      this.plain(this.drafts.get(channel) ?? "");
    }
    this.refresh();
  }

  refresh() {
    const channel = this.store.channels.get(this.channel);
    if (!channel) return;
    const name = this.store.channelName(channel);
    this.text.placeholder = `Message ${isDm(channel) ? "" : "#"}${name}`;
    const locked = Boolean(channel.thread_metadata?.locked);
    this.text.disabled = locked && isArchived(channel);
    if (locked) this.tell("This thread is locked.");
    else if (isArchived(channel)) this.tell("This thread is archived. A message opens it again.");
    else if (!this.store.bot.online)
      this.tell("The bot is offline: commands and buttons get no answer until it is back.");
    else this.tell("");
  }

  tell(text, bad = false) {
    this.notice.textContent = text;
    this.notice.classList.toggle("bad", bad);
    this.notice.hidden = !text;
  }

  // Plain text, and completion of commands

  plain(text = "") {
    this.options = null;
    this.text.value = text;
    fill(this.bar, this.slash, this.text, this.send);
    this.hide();
    this.grow();
  }

  grow() {
    this.text.style.height = "auto";
    this.text.style.height = `${Math.min(this.text.scrollHeight, 220)}px`;
    const left = MAX_MESSAGE_CHARS - this.text.value.length;
    if (this.text.value.length > WARN_FROM_CHARS) this.tell(`${left} characters left`, left < 0);
    else this.refresh();
  }

  hide() {
    this.help.hidden = true;
    fill(this.help);
    this.text.setAttribute("aria-expanded", "false");
  }

  typing() {
    this.grow();
    const line = this.text.value;
    if (!line.startsWith("/") || line.includes("\n")) {
      this.hide();
      if (line) this.announceTyping();
      return;
    }
    const named = typed(line, this.entries());
    if (named && line.length > named.name.length + 1) this.start(named.entry, named.texts);
    else this.offer(line.slice(1));
  }

  /** Tell others that this person is typing, at most once per interval. */
  announceTyping() {
    if (Date.now() - this.lastTypingAt < TYPING_INTERVAL_MS) return;
    this.lastTypingAt = Date.now();
    this.onTyping(this.channel);
  }

  offer(query) {
    const fitting = matching(this.entries(), query);
    const items = fitting.map((entry) => ({
      label: `/${entry.label}`,
      note: entry.description,
      value: entry,
      hint: hintOf(entry),
    }));
    fill(
      this.help,
      el("p", { class: "help-line" }, items.length ? "Commands" : this.noCommands()),
      this.list.node,
    );
    this.help.hidden = false;
    this.list.own(this.text);
    this.list.show(items);
    this.text.setAttribute("aria-expanded", items.length ? "true" : "false");
  }

  noCommands() {
    return this.store.commands.length
      ? "No such command here."
      : "The bot has not registered any command yet.";
  }

  offerAll() {
    this.plain("/");
    this.text.focus();
    this.typing();
  }

  key(event) {
    const open = !this.help.hidden;
    if (open && this.list.move(event)) return;
    if (event.isComposing) return;
    if (event.key === "Escape" && open) {
      event.preventDefault();
      this.hide();
    } else if (
      (event.key === "Tab" || event.key === "Enter") &&
      !event.shiftKey &&
      open &&
      this.list.active >= 0
    ) {
      event.preventDefault();
      this.pickOrRun(event.key);
    } else if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      this.submit();
    }
  }

  /** Run a fully typed command without options, or open the form of the active one. */
  pickOrRun(key) {
    const entry = this.list.items[this.list.active].value;
    const whole = [`/${entry.label}`, `/${entry.path}`].includes(this.text.value);
    if (key === "Enter" && whole && entry.options.length === 0) this.runCommand(entry.path, {});
    else this.start(entry);
  }

  // A command being filled in

  /** Start filling in a command, given as an entry or a path. */
  start(entry, texts = new Map()) {
    const found = typeof entry === "string" ? this.entries().find((e) => e.path === entry) : entry;
    if (!found) {
      this.tell(`/${entry} cannot be used here.`, true);
      return;
    }
    this.hide();
    this.options = new OptionForm({
      entry: found,
      texts,
      store: this.store,
      help: this.help,
      complete: (path, values, focused) => this.complete(this.channel, path, values, focused),
      onSend: (path, values) => this.runCommand(path, values),
      onLeave: () => this.leave(),
    });
    const cancel = el(
      "button",
      {
        type: "button",
        class: "round",
        "aria-label": "Cancel the command",
        on: { click: () => this.leave() },
      },
      icon("close"),
    );
    fill(this.bar, cancel, this.options.node, this.send);
    this.tell("");
    this.options.focus();
  }

  leave() {
    this.plain();
    this.text.focus();
  }

  async runCommand(path, values) {
    const channel = this.channel;
    const form = this.options;
    this.leave();
    const trouble = await this.run(channel, path, values);
    if (!trouble) return;
    // Nothing was sent: restore the filled-in options, unless there is new input.
    if (form && this.channel === channel && !this.options && !this.text.value) {
      this.start(form.entry, new Map(form.fields.map((f) => [f.option.name, f.input.value])));
    }
    this.tell(trouble, true);
  }

  async submit() {
    if (this.options) {
      this.options.send();
      return;
    }
    const text = this.text.value.trim();
    if (!text || this.text.value.length > MAX_MESSAGE_CHARS) return;
    if (text.startsWith("/") && this.unknownCommand(text)) return;
    const channel = this.channel;
    this.plain();
    const trouble = await this.say(channel, text);
    if (!trouble) return;
    if (this.channel === channel && !this.text.value) this.plain(text);
    this.tell(trouble, true);
  }

  /** Do not send a mistyped command as a public message; returns whether the text was one. */
  unknownCommand(text) {
    const named = typed(text, this.entries());
    if (named) this.start(named.entry, named.texts);
    else if (/^\/[\p{L}\p{N}_-]+(\s|$)/u.test(text))
      this.tell("There is no such command here. Nothing was sent.", true);
    else return false;
    return true;
  }
}

function hintOf(entry) {
  return entry.options
    .map((o) => (o.required ? o.label : `${o.label}?`))
    .slice(0, 4)
    .join(" ");
}
