import assert from "node:assert/strict";
import { test } from "node:test";

import { fixedChoices, flatten, matching, narrowed, typed, valueOf } from "../../sandbox/web/commands.js";

const COMMANDS = [
  {
    id: "1",
    name: "play",
    description: "Open a table",
    type: 1,
    contexts: [0],
    options: [
      {
        type: 1,
        name: "chess",
        description: "A game",
        options: [{ type: 4, name: "seats", description: "How many", required: true }],
      },
      {
        type: 2,
        name: "card",
        description: "Cards",
        options: [{ type: 1, name: "hearts", description: "Another" }],
      },
    ],
  },
  {
    id: "2",
    name: "move",
    description: "Make a move",
    options: [
      { type: 3, name: "words", description: "The move", required: true, autocomplete: true },
      { type: 3, name: "match", description: "Which", autocomplete: true },
    ],
  },
  { id: "3", name: "Look", type: 2 },
];
const entries = flatten(COMMANDS);

test("subcommands are listed by their path, context menus are not", () => {
  assert.deepEqual(
    entries.map((e) => e.path),
    ["move", "play card hearts", "play chess"],
  );
  assert.deepEqual(
    flatten(COMMANDS, { dm: true }).map((e) => e.path),
    ["move"],
  );
});

test("commands are offered in the person's language, and sent by their own name", () => {
  const turn = {
    id: "9",
    name: "turn",
    description: "Show",
    name_localizations: { it: "turno" },
    options: [{ type: 3, name: "match", name_localizations: { it: "partita" }, description: "Which" }],
  };
  const [it] = flatten([turn], { locale: "it" });
  assert.deepEqual(
    [it.path, it.label, it.description, it.options[0].label],
    ["turn", "turno", "Show", "partita"],
  );
  assert.deepEqual([...typed("/turno partita:7", [it]).texts], [["match", "7"]]);
  assert.equal(typed("/turn 7", [it]).entry, it);
  assert.deepEqual(matching([it], "turno"), [it]);
  assert.equal(flatten([turn], { locale: "fr" })[0].label, "turn");
});

test("the best match comes first", () => {
  assert.deepEqual(
    matching(entries, "play").map((e) => e.path),
    ["play card hearts", "play chess"],
  );
  assert.deepEqual(
    matching(entries, "che").map((e) => e.path),
    ["play chess"],
  );
  assert.deepEqual(matching(entries, "zzz"), []);
});

test("a typed line gives the command and the texts of its options", () => {
  const move = typed("/move c4 d5", entries);
  assert.equal(move.entry.path, "move");
  assert.deepEqual([...move.texts], [["words", "c4 d5"]]);
  assert.deepEqual(
    [...typed("/move words:c4 d5 match: 7", entries).texts],
    [
      ["words", "c4 d5"],
      ["match", "7"],
    ],
  );
  assert.deepEqual([...typed("/play chess seats:2", entries).texts], [["seats", "2"]]);
  assert.equal(typed("/mov", entries), null);
  assert.equal(typed("move c4", entries), null);
});

test("values have the type that their option asks for", () => {
  const number = { type: 4, required: true, min_value: 2, max_value: 4 };
  assert.deepEqual(valueOf(number, " 3 "), { value: 3 });
  for (const bad of ["", "x", "1", "5", "2.5"]) assert.ok(valueOf(number, bad).error, bad);
  assert.deepEqual(valueOf({ type: 10 }, "2.5"), { value: 2.5 });
  assert.deepEqual(valueOf({ type: 3 }, ""), {});
  assert.ok(valueOf({ type: 3, max_length: 3 }, "abcd").error);
  const yes = fixedChoices({ type: 5 });
  assert.deepEqual(valueOf({ type: 5 }, "true", yes), { value: true });
  const people = [
    { name: "Alba", value: "1" },
    { name: "Bruno", value: "2" },
  ];
  assert.deepEqual(valueOf({ type: 6 }, "@bru", fixedChoices({ type: 6 }, { members: people })), {
    value: "2",
  });
  assert.ok(valueOf({ type: 6 }, "carla", people).error);
});

test("choices narrow as one types, beginnings first", () => {
  const choices = ["north", "south", "far north"].map((name) => ({ name, value: name }));
  assert.deepEqual(
    narrowed(choices, "north").map((c) => c.name),
    ["north", "far north"],
  );
  assert.equal(
    narrowed(
      Array.from({ length: 40 }, (_, i) => ({ name: `${i}`, value: i })),
      "",
    ).length,
    25,
  );
});
