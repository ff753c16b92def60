import assert from "node:assert/strict";
import { test } from "node:test";

import { Interactions } from "../../sandbox/web/interactions.js";
import { Store, compareIds, isArchived } from "../../sandbox/web/store.js";

const ALBA = { id: "10", username: "Alba" };
const BOT = { id: "20", username: "Bot", bot: true };
const memory = () => {
  const held = new Map();
  return { getItem: (key) => held.get(key) ?? null, setItem: (key, value) => held.set(key, value) };
};

function started(kept = memory()) {
  const store = new Store(kept);
  store.apply({
    t: "HELLO",
    d: {
      me: ALBA,
      guild: { id: "1", name: "G" },
      members: [ALBA, BOT],
      commands: [],
      bot: { ...BOT, online: true },
      channels: [
        { id: "100", type: 0, name: "general", position: 0 },
        { id: "101", type: 0, name: "games", position: 1 },
        { id: "200", type: 11, name: "old", parent_id: "101", thread_metadata: { archived: true } },
        { id: "199", type: 11, name: "open", parent_id: "101", thread_metadata: { archived: false } },
        { id: "300", type: 1, recipients: [ALBA, BOT] },
      ],
    },
  });
  return store;
}
const message = (id, channel = "100", more = {}) => ({
  id,
  channel_id: channel,
  author: BOT,
  content: id,
  flags: 0,
  ...more,
});

test("ids are compared as the large numbers they are", () => {
  assert.ok(compareIds("9", "10") < 0);
  assert.ok(compareIds("1234567890123456789", "1234567890123456788") > 0);
});

test("the channels of each guild stand together, the first guild's first", () => {
  const store = started();
  store.apply({ t: "GUILD_CREATE", d: { id: "2", name: "H" } });
  assert.deepEqual(
    store.sections().map((s) => s.guild.name),
    ["G"],
  );
  store.apply({
    t: "CHANNEL_CREATE",
    d: { id: "50", guild_id: "2", type: 0, name: "elsewhere", position: 0 },
  });
  assert.deepEqual(
    store.sections().map((s) => [s.guild.name, s.tree.map((b) => b.channel.name)]),
    [
      ["G", ["general", "games"]],
      ["H", ["elsewhere"]],
    ],
  );
});

test("threads hang under their channel, open ones first", () => {
  const store = started();
  assert.deepEqual(
    store.tree().map((b) => [b.channel.name, b.threads.map((t) => t.name)]),
    [
      ["general", []],
      ["games", ["open", "old"]],
    ],
  );
  store.apply({ t: "THREAD_UPDATE", d: { id: "199", type: 11, thread_metadata: { archived: true } } });
  assert.ok(isArchived(store.channels.get("199")));
  assert.equal(store.channels.get("199").name, "open");
  assert.equal(store.channelName(store.channels.get("300")), "Bot");
});

test("messages keep their order, are changed in place and never doubled", () => {
  const store = started();
  store.addPage("100", [message("3"), message("5")], 50);
  for (const id of ["4", "6", "6"]) store.apply({ t: "MESSAGE_CREATE", d: message(id) });
  assert.deepEqual(
    store.list("100").map((m) => m.id),
    ["3", "4", "5", "6"],
  );
  store.apply({ t: "MESSAGE_UPDATE", d: { id: "5", channel_id: "100", content: "new" } });
  assert.deepEqual([store.find("100", "5").content, store.find("100", "5").author.id], ["new", "20"]);
  store.apply({ t: "MESSAGE_DELETE", d: { id: "4", channel_id: "100" } });
  assert.deepEqual(
    store.list("100").map((m) => m.id),
    ["3", "5", "6"],
  );
});

test("a local row stands below what was there, and above what comes", () => {
  const store = started();
  store.addPage("100", [message("3")], 50);
  store.addLocal("100", { id: "local-1", author: BOT });
  store.apply({ t: "MESSAGE_CREATE", d: message("9") });
  store.addPage("100", [message("2")], 50);
  assert.deepEqual(
    store.list("100").map((m) => m.id),
    ["2", "3", "local-1", "9"],
  );
});

test("unread dots, mentions, and what was read before", () => {
  const kept = memory();
  const store = started(kept);
  const games = () => store.unread(store.channels.get("101"));
  assert.equal(games().dot, false);
  store.apply({ t: "MESSAGE_CREATE", d: message("500", "101") });
  store.apply({ t: "MESSAGE_CREATE", d: message("501", "101", { mentions: [ALBA] }) });
  store.apply({ t: "MESSAGE_CREATE", d: message("502", "101", { author: ALBA, mentions: [ALBA] }) });
  store.apply({ t: "MESSAGE_CREATE", d: message("503", "300") });
  assert.deepEqual(games(), { dot: true, mentions: 1 });
  assert.equal(store.mentionCount(), 2);
  store.markRead("101");
  assert.deepEqual(games(), { dot: false, mentions: 0 });

  const later = started(kept);
  later.channels.set("101", { ...later.channels.get("101"), last_message_id: "600" });
  assert.equal(later.unread(later.channels.get("101")).dot, true);
});

test("a phone shows each notification once, until its channel is opened", () => {
  const kept = memory();
  const store = started(kept);
  const note = (id, channel, text = "") => ({ at: 0, message_id: id, channel_id: channel, title: "B", text });
  const ids = (shown) => [shown.waiting, shown.cleared].map((notes) => notes.map((n) => n.message_id));
  store.apply({ t: "NOTIFICATION", d: note("90", "101", "first") });
  store.notify([note("90", "101", "first"), note("100", "101"), note("95", "300")]);
  assert.deepEqual(ids(store.phone()), [["100", "95", "90"], []]);
  store.clearPhone("101");
  assert.deepEqual(ids(store.phone()), [["95"], ["100", "90"]]);
  store.notify([note("101", "101")]);
  assert.deepEqual(ids(store.phone())[0], ["101", "95"]);

  // Another window of the same person: what it hears of after the channel was opened is cleared too.
  const later = started(kept);
  later.channels.set("300", { ...later.channels.get("300"), last_message_id: "95" });
  later.clearPhone("300");
  later.notify([note("90", "101"), note("95", "300"), note("101", "101")]);
  assert.deepEqual(ids(later.phone()), [["101"], ["95", "90"]]);
});

test("an interaction ends once, also when its end comes first", async () => {
  const interactions = new Interactions({ timeoutMs: 30 });
  const ends = [];
  const follow = (id) =>
    interactions.follow(
      async () => ({ interaction_id: id }),
      (reason) => ends.push([id, reason]),
    );
  await follow("1");
  interactions.apply({ t: "INTERACTION_DONE", d: { interaction_id: "1" } });
  interactions.apply({ t: "INTERACTION_DONE", d: { interaction_id: "1" } });
  interactions.apply({ t: "INTERACTION_FAILED", d: { interaction_id: "2", reason: "late" } });
  await follow("2");
  await follow("3");
  await new Promise((done) => setTimeout(done, 60));
  await interactions.follow(
    async () => {
      throw new Error("refused");
    },
    (reason) => ends.push(["4", reason]),
  );
  assert.deepEqual(ends, [
    ["1", null],
    ["2", "late"],
    ["3", "The application did not respond"],
    ["4", "refused"],
  ]);
});
