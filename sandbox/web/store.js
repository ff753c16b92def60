// The data of this window: channels, messages, members, commands. Independent of the document.

export const FLAG = { SUPPRESS_EMBEDS: 4, EPHEMERAL: 64, LOADING: 128, COMPONENTS_V2: 32768 };
export const CHANNEL = {
  TEXT: 0,
  DM: 1,
  VOICE: 2,
  CATEGORY: 4,
  NEWS: 5,
  NEWS_THREAD: 10,
  THREAD: 11,
  PRIVATE_THREAD: 12,
};

const THREADS = [CHANNEL.NEWS_THREAD, CHANNEL.THREAD, CHANNEL.PRIVATE_THREAD];
const MAX_BACKGROUND_MESSAGES = 200;

/** Compare two ids, negative if `a` is older. They are decimal numbers too large for a float. */
export function compareIds(a, b) {
  return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);
}

/** The Unix time of a snowflake, in milliseconds. */
export function idTime(id) {
  return Number((BigInt(id) >> 22n) + 1420070400000n);
}

export const isThread = (channel) => THREADS.includes(channel?.type);
export const isDm = (channel) => channel?.type === CHANNEL.DM;
export const isArchived = (channel) => Boolean(channel?.thread_metadata?.archived);
export const isEphemeral = (message) => Boolean((message.flags ?? 0) & FLAG.EPHEMERAL);

/** All data, and listeners for changes. `memory` (localStorage) stores what was read. */
export class Store {
  constructor(memory = null) {
    this.memory = memory;
    this.listeners = [];
    this.reset();
  }

  reset() {
    this.me = null;
    this.guild = { id: "0", name: "Sandbox" };
    this.guilds = new Map();
    this.channels = new Map();
    this.members = new Map();
    this.commands = [];
    this.bot = { user: null, online: false };
    this.messages = new Map();
    this.complete = new Set();
    this.loaded = new Set();
    this.read = {};
    this.fresh = new Map();
    this.typing = new Map();
    this.notifications = new Map();
    this.cleared = {};
    this.current = null;
  }

  subscribe(listener) {
    this.listeners.push(listener);
  }

  /** Notify all listeners that `topic` changed; `detail` is the channel or message. */
  emit(topic, detail = null) {
    for (const listener of this.listeners) listener(topic, detail);
  }

  hello(d) {
    this.me = d.me;
    this.guild = d.guild;
    this.guilds = new Map([d.guild, ...(d.guilds ?? [])].map((guild) => [guild.id, guild]));
    const { online, ...user } = d.bot;
    this.bot = { user: user.id ? user : null, online };
    this.commands = d.commands ?? [];
    this.channels = new Map((d.channels ?? []).map((channel) => [channel.id, channel]));
    this.members = new Map();
    for (const member of [...(d.members ?? []), d.me, this.bot.user]) this.meet(member);
    this.messages.clear();
    this.loaded.clear();
    this.complete.clear();
    this.read = this.recall("read");
    this.cleared = this.recall("cleared");
    this.emit("hello");
  }

  meet(member) {
    const user = member?.user ?? member;
    if (user?.id) this.members.set(user.id, { ...this.members.get(user.id), ...user });
  }

  /** Apply an event of the socket. */
  apply({ t, d }) {
    const handler = HANDLERS[t];
    if (handler) handler(this, d);
  }

  // Channels

  channelName(channel) {
    if (!isDm(channel)) return channel.name ?? "unnamed";
    const others = (channel.recipients ?? []).filter((user) => user.id !== this.me.id);
    return others.map((user) => user.global_name || user.username).join(", ") || "Direct message";
  }

  /** Text channels in order, each with its threads: open ones first, then newest first. */
  tree() {
    const all = [...this.channels.values()];
    const roots = all.filter(
      (c) => !isThread(c) && !isDm(c) && ![CHANNEL.CATEGORY, CHANNEL.VOICE].includes(c.type),
    );
    roots.sort((a, b) => (a.position ?? 0) - (b.position ?? 0) || compareIds(a.id, b.id));
    return roots.map((channel) => ({ channel, threads: this.threadsOf(channel.id) }));
  }

  /** The guilds with channels, the first guild first, each with its tree. */
  sections() {
    const tree = this.tree();
    const own = (guild) => tree.filter(({ channel }) => (channel.guild_id ?? this.guild.id) === guild.id);
    const all = [...this.guilds.values()].map((guild) => ({ guild, tree: own(guild) }));
    return all.filter((section) => section.tree.length > 0);
  }

  threadsOf(id) {
    const threads = [...this.channels.values()].filter((c) => isThread(c) && c.parent_id === id);
    const byAge = (a, b) => isArchived(a) - isArchived(b) || compareIds(b.id, a.id);
    return threads.sort(byAge);
  }

  dms() {
    return [...this.channels.values()].filter(isDm).sort((a, b) => compareIds(a.id, b.id));
  }

  // Messages

  list(channel) {
    return this.messages.get(channel) ?? [];
  }

  find(channel, id) {
    return this.list(channel).find((message) => message.id === id);
  }

  /** Add a page of history; `page` is the number of requested messages. */
  addPage(channel, messages, page) {
    for (const message of messages) this.put(message);
    this.loaded.add(channel);
    if (messages.length < page) this.complete.add(channel);
    this.emit("messages", channel);
  }

  put(message) {
    if (message.author) this.meet(message.author);
    for (const user of message.mentions ?? []) this.meet(user);
    const list = this.messages.get(message.channel_id) ?? [];
    this.messages.set(message.channel_id, list);
    const known = list.findIndex((other) => other.id === message.id);
    if (known >= 0) {
      list[known] = { ...list[known], ...message, rev: (list[known].rev ?? 0) + 1 };
      return;
    }
    let at = list.length;
    while (at > 0 && after(list[at - 1], message)) at -= 1;
    list.splice(at, 0, { ...message, rev: 0 });
    if (message.channel_id !== this.current && list.length > MAX_BACKGROUND_MESSAGES) {
      list.shift();
      this.complete.delete(message.channel_id);
    }
  }

  drop(channel, id) {
    const list = this.list(channel);
    const at = list.findIndex((message) => message.id === id);
    if (at >= 0) list.splice(at, 1);
    this.emit("messages", channel);
  }

  /** Add a row for this window only (a pending or failed command). */
  addLocal(channel, local) {
    const list = this.list(channel);
    const newest = list[list.length - 1];
    this.put({ ...local, channel_id: channel, local: true, after: newest?.after ?? newest?.id ?? "0" });
    this.emit("messages", channel);
  }

  // Read state

  recall(what) {
    try {
      return JSON.parse(this.memory?.getItem(this.memoryKey(what)) ?? "{}");
    } catch {
      return {};
    }
  }

  remember(what) {
    this.memory?.setItem(this.memoryKey(what), JSON.stringify(this[what]));
  }

  memoryKey(what) {
    return `sandbox.${what}.${this.guild.id}.${this.me.id}`;
  }

  markRead(channel) {
    const newest = this.list(channel).findLast((message) => !message.local)?.id;
    if (newest && this.read[channel] !== newest) {
      this.read[channel] = newest;
      this.remember("read");
    }
    if (this.fresh.delete(channel)) this.emit("channels");
  }

  /** The unread state of a channel: {dot, mentions}. */
  unread(channel) {
    const counted = this.fresh.get(channel.id);
    if (counted) return { dot: true, mentions: counted.mentions };
    const seen = this.read[channel.id];
    const newest = channel.last_message_id;
    const dot = Boolean(seen && newest && !this.loaded.has(channel.id) && compareIds(newest, seen) > 0);
    return { dot, mentions: 0 };
  }

  mentionCount() {
    let sum = 0;
    for (const { mentions } of this.fresh.values()) sum += mentions;
    return sum;
  }

  // The locked phone

  /** Add notifications. Each message has at most one, whether pushed or requested. */
  notify(notes) {
    for (const note of notes) this.notifications.set(note.message_id, note);
    this.emit("phone");
  }

  /** The phone's notifications as {waiting, cleared}, newest first. */
  phone() {
    const notes = [...this.notifications.values()].sort((a, b) => compareIds(b.message_id, a.message_id));
    const isCleared = (note) => compareIds(note.message_id, this.cleared[note.channel_id] ?? "0") <= 0;
    return { waiting: notes.filter((note) => !isCleared(note)), cleared: notes.filter(isCleared) };
  }

  /** Clear a channel's notifications when the person opens it or acts there, also ones still on their way. */
  clearPhone(channel) {
    const newest = [...this.notifications.values()]
      .filter((note) => note.channel_id === channel)
      .map((note) => note.message_id)
      .concat(this.channels.get(channel)?.last_message_id ?? "0", this.cleared[channel] ?? "0")
      .sort(compareIds)
      .at(-1);
    if (this.cleared[channel] === newest) return;
    this.cleared[channel] = newest;
    this.remember("cleared");
    this.emit("phone");
  }

  mentionsMe(message) {
    if (message.author?.id === this.me.id) return false;
    return (
      Boolean(message.mention_everyone) || (message.mentions ?? []).some((user) => user.id === this.me.id)
    );
  }

  count(message) {
    if (message.author?.id === this.me.id) return;
    const counted = this.fresh.get(message.channel_id) ?? { messages: 0, mentions: 0 };
    const calls = this.mentionsMe(message) || isDm(this.channels.get(message.channel_id));
    this.fresh.set(message.channel_id, {
      messages: counted.messages + 1,
      mentions: counted.mentions + (calls ? 1 : 0),
    });
    this.emit("channels");
  }
}

function after(a, b) {
  const order = compareIds(a.after ?? a.id, b.after ?? b.id);
  return order > 0 || (order === 0 && Boolean(a.local) && !b.local);
}

function upsertChannel(store, d) {
  const old = store.channels.get(d.id);
  const metadata = { ...old?.thread_metadata, ...d.thread_metadata };
  store.channels.set(d.id, {
    ...old,
    ...d,
    ...(isThread(d) || old?.thread_metadata ? { thread_metadata: metadata } : {}),
  });
  store.emit("channels", d.id);
  // The message that started the thread shows its card.
  if (isThread(d)) store.emit("messages", d.parent_id);
}

function dropChannel(store, d) {
  store.channels.delete(d.id);
  store.messages.delete(d.id);
  store.fresh.delete(d.id);
  store.emit("channels", d.id);
}

const HANDLERS = {
  HELLO: (store, d) => store.hello(d),
  MESSAGE_CREATE(store, d) {
    const known = Boolean(store.find(d.channel_id, d.id));
    store.put(d);
    store.typing.delete(`${d.channel_id}/${d.author?.id}`);
    const channel = store.channels.get(d.channel_id);
    if (channel && !isEphemeral(d)) store.channels.set(channel.id, { ...channel, last_message_id: d.id });
    if (!known) store.count(d);
    store.emit("messages", d.channel_id);
    store.emit("typing");
  },
  MESSAGE_UPDATE(store, d) {
    if (!store.find(d.channel_id, d.id) && !(d.author && store.loaded.has(d.channel_id))) return;
    store.put(d);
    store.emit("messages", d.channel_id);
  },
  MESSAGE_DELETE: (store, d) => store.drop(d.channel_id, d.id),
  GUILD_CREATE: (store, d) => store.guilds.set(d.id, d),
  CHANNEL_CREATE: upsertChannel,
  CHANNEL_UPDATE: upsertChannel,
  CHANNEL_DELETE: dropChannel,
  THREAD_CREATE: upsertChannel,
  THREAD_UPDATE: upsertChannel,
  THREAD_DELETE: dropChannel,
  COMMANDS_UPDATE(store, d) {
    store.commands = Array.isArray(d) ? d : (d.commands ?? []);
    store.emit("commands");
  },
  NOTIFICATION: (store, d) => store.notify([d]),
  MEMBER_ADD(store, d) {
    store.meet(d);
    store.emit("members");
  },
  BOT_STATUS(store, d) {
    store.bot = { ...store.bot, online: d.online };
    store.emit("bot");
  },
  TYPING(store, d) {
    store.typing.set(`${d.channel_id}/${d.user_id}`, {
      channel: d.channel_id,
      user: d.user_id,
      at: Date.now(),
    });
    store.emit("typing");
  },
};
