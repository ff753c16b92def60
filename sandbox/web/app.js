// The page: connects the person, the socket and the parts of the page.

import { $, displayName, el } from "./dom.js";
import { Socket, listPeople, personApi } from "./api.js";
import { keepTicking, setAhead, tick } from "./clock.js";
import { Composer } from "./composer.js";
import { Feed } from "./feed.js";
import { Interactions } from "./interactions.js";
import { enlarge } from "./media.js";
import { openModal } from "./modal.js";
import { people, personOf, showStart } from "./people.js";
import { Phone } from "./phone.js";
import { Sidebar } from "./sidebar.js";
import { FLAG, Store, isDm, isThread } from "./store.js";
import { Timeshift } from "./timeshift.js";

const TYPING_TTL_MS = 9000;
const PENDING_DELAY_MS = 350;
const TOAST_DURATION_MS = 6000;

class App {
  constructor(person) {
    this.person = person;
    this.store = new Store(window.localStorage);
    this.api = personApi(person.id);
    this.interactions = new Interactions();
    this.busy = new Set();
    this.chosen = new Map();
    this.failures = new Map();
    this.locals = 0;
    const onError = (text) => this.toast(text);
    const { store, api } = this;
    this.ctx = this.context();
    this.feed = new Feed({ store, api, ctx: this.ctx, onError });
    this.sidebar = new Sidebar({ store, api, people, onError, openDm: () => this.openDm() });
    this.timeshift = new Timeshift({ onError });
    this.phone = new Phone({ store, go: (channel, message) => this.go(channel, message) });
    this.composer = new Composer({
      store,
      run: (channel, path, values) => this.run(channel, path, values),
      onTyping: (channel) => this.attempt(() => api.typing({ channel_id: channel })),
      say: (channel, text) => {
        store.clearPhone(channel);
        return this.attempt(() => api.message({ channel_id: channel, content: text }));
      },
      complete: (channel, name, options, focused) =>
        api.autocomplete({ channel_id: channel, name, options, focused }),
    });
    store.subscribe((topic, detail) => this.changed(topic, detail));
    window.addEventListener("hashchange", () => this.route());
    document.addEventListener("keydown", (event) => this.globalKey(event));
    setInterval(() => this.paintTyping(), 3000);
    this.drawer();
    keepTicking();
    this.socket = new Socket(person.id, {
      onEvent: (event) => this.receive(event),
      onState: (state) => this.connection(state),
    });
  }

  /** What message rows and components can use of the page. */
  context() {
    return {
      store: this.store,
      enlarge,
      press: (message, id) =>
        this.interact(message, id, () => this.api.press({ message_id: message.id, custom_id: id })),
      choose: (message, id, values) => this.choose(message, id, values),
      chosenIn: (message, id) => this.chosen.get(`${message.id}/${id}`),
      dismiss: (message) => this.dismiss(message),
      useCommand: (path) => this.composer.start(path),
      isBusy: (message, key) => this.busy.has(`${message}/${key}`),
      failureOf: (message) => this.failures.get(message),
      revisionOf: (message) => this.failures.get(message) ?? "",
    };
  }

  // Events

  receive(event) {
    if (["HELLO", "CLOCK"].includes(event.t)) this.clockMoved(event.d.ahead ?? 0);
    this.interactions.apply(event);
    this.store.apply(event);
    if (event.t === "MODAL" && this.interactions.expects(event.d.interaction_id)) this.modal(event.d);
    if (event.t === "MESSAGE_CREATE" && event.d.channel_id === this.store.current) this.feed.arrived();
  }

  clockMoved(ahead) {
    setAhead(ahead);
    this.timeshift.render(ahead);
    tick();
  }

  changed(topic, detail) {
    const { store } = this;
    if (topic === "hello") this.started();
    if (["channels", "members"].includes(topic)) this.sidebar.render();
    if (topic === "channels") this.afterChannels(detail);
    if (topic === "messages" && detail === store.current) this.feed.render();
    if (["bot", "hello"].includes(topic)) this.paintBot();
    if (topic === "bot") this.composer.refresh();
    if (topic === "typing") this.paintTyping();
    if (topic === "phone") this.phone.render();
    if (topic === "channels" || topic === "hello") this.paintTitle();
  }

  started() {
    $("#start").hidden = true;
    $("#app").hidden = false;
    this.sidebar.render();
    this.sidebar.renderMe();
    this.route();
    this.loadPhone();
  }

  async loadPhone() {
    try {
      this.store.notify(await this.api.notifications());
    } catch (error) {
      this.toast(error.message);
    }
  }

  afterChannels(id) {
    if (id !== this.store.current) return;
    if (this.store.channels.has(id)) {
      this.paintTop();
      this.composer.refresh();
      return;
    }
    this.toast("That channel is gone.");
    this.go(this.firstChannel());
  }

  async connection(state) {
    const banner = $("#banner");
    banner.hidden = state === "open";
    if (state === "open") return;
    banner.textContent = "The connection to the sandbox is lost. Reconnecting…";
    try {
      const known = await listPeople();
      if (known.some((person) => person.id === this.person.id)) return;
    } catch {
      return; // Not back yet: the socket keeps trying.
    }
    this.socket.close();
    await showStart("The sandbox was restarted and no longer knows you.");
  }

  // Places

  firstChannel() {
    return this.store.tree()[0]?.channel.id ?? this.store.dms()[0]?.id ?? null;
  }

  go(channel, message = null) {
    if (!channel) return;
    const hash = message ? `#${channel}/${message}` : `#${channel}`;
    if (location.hash === hash) this.route();
    else location.hash = hash;
  }

  route() {
    if (!this.store.me) return;
    const [channel, message] = location.hash.slice(1).split("/");
    if (!this.store.channels.has(channel)) {
      if (channel && this.store.current) this.toast("There is no such channel.");
      const first =
        this.store.current && this.store.channels.has(this.store.current)
          ? this.store.current
          : this.firstChannel();
      if (first) history.replaceState(null, "", `#${first}`);
      if (first) this.show(first);
      return;
    }
    this.show(channel, message);
  }

  show(channel, message = null) {
    this.store.current = channel;
    this.store.clearPhone(channel);
    this.composer.open(channel);
    this.paintTop();
    this.paintTyping();
    this.setDrawer(false);
    this.feed.open(channel, message);
    this.sidebar.render();
    this.paintTitle();
  }

  paintTop() {
    const channel = this.store.channels.get(this.store.current);
    const name = this.store.channelName(channel);
    $("#channel-name").textContent = isDm(channel) ? name : `${isThread(channel) ? "" : "#"}${name}`;
    const parent = isThread(channel) ? this.store.channels.get(channel.parent_id) : null;
    const back = $("#parent");
    back.hidden = !parent;
    if (parent) {
      back.textContent = `#${parent.name} ›`;
      back.href = `#${parent.id}`;
    }
    $("#topic").textContent = channel.topic ?? "";
  }

  paintTitle() {
    const channel = this.store.channels.get(this.store.current);
    const count = this.store.mentionCount();
    const place = channel ? this.store.channelName(channel) : "Sandbox";
    document.title = `${count ? `(${count}) ` : ""}${place} · ${displayName(this.store.me)} · Sandbox`;
  }

  paintBot() {
    const { user, online } = this.store.bot;
    const chip = $("#bot");
    chip.classList.toggle("online", Boolean(online));
    chip.textContent = `${user ? displayName(user) : "Bot"} ${online ? "online" : "offline"}`;
  }

  paintTyping() {
    const now = Date.now();
    for (const [key, { at }] of this.store.typing) {
      if (now - at > TYPING_TTL_MS) this.store.typing.delete(key);
    }
    const here = [...this.store.typing.values()].filter(
      (t) => t.channel === this.store.current && t.user !== this.store.me.id,
    );
    const names = here.map((t) => displayName(this.store.members.get(t.user)));
    $("#typing").textContent = names.length
      ? `${names.join(", ")} ${names.length > 1 ? "are" : "is"} typing…`
      : "";
  }

  async openDm() {
    try {
      const channel = await this.api.dm();
      if (!this.store.channels.has(channel.id)) this.store.apply({ t: "CHANNEL_CREATE", d: channel });
      this.go(channel.id);
    } catch (error) {
      this.toast(error.message);
    }
  }

  // Interactions

  /** Press or choose on a message; its control is busy until the bot has responded. */
  interact(message, key, request, onFailure = () => {}) {
    this.store.clearPhone(message.channel_id);
    this.setFailure(message, null);
    this.setBusy(message, key, true);
    this.interactions.follow(request, (reason) => {
      this.setBusy(message, key, false);
      if (reason === null) return;
      onFailure();
      this.setFailure(message, reason);
    });
  }

  /** Choose in a select. The choice is shown until the select has a new custom_id. */
  choose(message, id, values) {
    const key = `${message.id}/${id}`;
    const before = this.chosen.get(key);
    this.chosen.set(key, values);
    const request = () => this.api.select({ message_id: message.id, custom_id: id, values });
    this.interact(message, id, request, () => this.chosen.set(key, before));
  }

  setBusy(message, key, on) {
    if (on) this.busy.add(`${message.id}/${key}`);
    else this.busy.delete(`${message.id}/${key}`);
    const row = this.feed.rows.get(message.id)?.node;
    for (const node of row?.querySelectorAll("[data-key]") ?? []) {
      if (node.dataset.key !== key) continue;
      if (on) node.setAttribute("aria-busy", "true");
      else node.removeAttribute("aria-busy");
    }
  }

  setFailure(message, reason) {
    if ((this.failures.get(message.id) ?? null) === reason) return;
    if (reason === null) this.failures.delete(message.id);
    else this.failures.set(message.id, `This interaction failed · ${reason}`);
    this.store.emit("messages", message.channel_id);
  }

  /** Run a command, showing its progress in the list; returns null, or why it was not sent. */
  async run(channel, path, values) {
    this.store.clearPhone(channel);
    const id = `local-${(this.locals += 1)}`;
    const row = (text) =>
      this.store.addLocal(channel, {
        id,
        type: 20,
        author: this.store.bot.user,
        content: "",
        flags: FLAG.EPHEMERAL,
        timestamp: new Date().toISOString(),
        interaction: { name: path, user: this.store.me },
        interaction_metadata: { type: 2, user: this.store.me },
        ...text,
      });
    let refused = null;
    let sent = false;
    const timer = setTimeout(() => row({ pending: "Sending the command…" }), PENDING_DELAY_MS);
    const request = async () => {
      const answer = await this.api.command({ channel_id: channel, name: path, options: values });
      sent = true;
      return answer;
    };
    await this.interactions.follow(request, (reason) => {
      clearTimeout(timer);
      if (!sent) refused = reason;
      if (sent && reason !== null) row({ pending: null, failed: reason });
      else this.store.drop(channel, id);
    });
    return refused;
  }

  modal(d) {
    openModal(d, this.ctx, (values, onEnd) => {
      this.interactions.follow(() => this.api.modal({ interaction_id: d.interaction_id, values }), onEnd);
    });
  }

  async dismiss(message) {
    if (!message.local) {
      const trouble = await this.attempt(() => this.api.dismiss({ message_id: message.id }));
      if (trouble) this.toast(trouble);
    }
    this.store.drop(message.channel_id, message.id);
    this.composer.text.focus();
  }

  async attempt(request) {
    try {
      await request();
      return null;
    } catch (error) {
      return error.message;
    }
  }

  // The window

  drawer() {
    $("#open-drawer").addEventListener("click", () => this.setDrawer(true));
    $("#close-drawer").addEventListener("click", () => this.setDrawer(false));
    $("#shade").addEventListener("click", () => this.setDrawer(false));
  }

  setDrawer(open) {
    const app = $("#app");
    const was = app.classList.contains("drawer-open");
    app.classList.toggle("drawer-open", open);
    $("#open-drawer").setAttribute("aria-expanded", String(open));
    if (open) $("#channels a")?.focus();
    else if (was) $("#open-drawer").focus();
  }

  /** Send letters typed anywhere to the composer; Escape closes the drawer. */
  globalKey(event) {
    if (event.key === "Escape") this.setDrawer(false);
    const busy =
      event.target.closest("input, textarea, dialog, .popup") || document.querySelector("dialog[open]");
    if (busy || event.ctrlKey || event.metaKey || event.altKey || event.key.length !== 1 || event.key === " ")
      return;
    if (!this.composer.options) this.composer.text.focus();
  }

  toast(text) {
    const note = el("p", { class: "toast", role: "alert" }, text);
    $("#toasts").append(note);
    setTimeout(() => note.remove(), TOAST_DURATION_MS);
  }
}

async function main() {
  let known;
  try {
    known = await listPeople();
  } catch {
    await showStart();
    setTimeout(() => location.reload(), 3000);
    return;
  }
  const person = personOf(known);
  if (person) new App(person);
  else
    await showStart(location.search.includes("person=") ? "There is nobody of that name. Who are you?" : "");
}

main();
