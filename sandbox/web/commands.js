// Slash commands as data: the list of commands, typed lines, and values as the API takes them.

export const OPTION = {
  SUBCOMMAND: 1,
  GROUP: 2,
  STRING: 3,
  INTEGER: 4,
  BOOLEAN: 5,
  USER: 6,
  CHANNEL: 7,
  ROLE: 8,
  MENTIONABLE: 9,
  NUMBER: 10,
  ATTACHMENT: 11,
};

/** All available commands and subcommands as {path, label, id, description, options}, sorted by label.
 *
 *  `path` is for the API; labels and descriptions are localized if the bot has translations. */
export function flatten(commands, { dm = false, locale = "en-US" } = {}) {
  const entries = [];
  for (const command of commands) {
    if ((command.type ?? 1) === 1 && usable(command, dm))
      collect(command, [], [], command.id, locale, entries);
  }
  return entries.sort((a, b) => (a.label < b.label ? -1 : a.label > b.label ? 1 : 0));
}

function usable(command, dm) {
  const contexts = command.contexts;
  if (Array.isArray(contexts) && contexts.length > 0) return contexts.includes(dm ? 1 : 0);
  return !dm || (command.dm_permission !== false && !command.guild_id);
}

/** A node's localized text, or its default text. */
const local = (node, key, locale) => node[`${key}_localizations`]?.[locale] ?? node[key] ?? "";

function collect(node, names, labels, id, locale, entries) {
  const path = [...names, node.name];
  const label = [...labels, local(node, "name", locale)];
  const options = node.options ?? [];
  const deeper = options.filter((o) => o.type === OPTION.SUBCOMMAND || o.type === OPTION.GROUP);
  for (const sub of deeper) collect(sub, path, label, id, locale, entries);
  if (deeper.length > 0) return;
  entries.push({
    path: path.join(" "),
    label: label.join(" "),
    id,
    description: local(node, "description", locale),
    options: options.map((option) => localOption(option, locale)),
  });
}

function localOption(option, locale) {
  const choices = option.choices?.map((c) => ({ name: local(c, "name", locale), value: c.value }));
  const description = local(option, "description", locale);
  return { ...option, label: local(option, "name", locale), description, choices };
}

/** The entries that match the text after the slash, best first. */
export function matching(entries, query) {
  const words = query.trim().toLowerCase().replace(/\s+/g, " ");
  const ranked = entries.map((entry) => [rank(entry, words), entry]).filter(([score]) => score < 9);
  return ranked.sort(([a], [b]) => a - b).map(([, entry]) => entry);
}

function rank(entry, words) {
  return Math.min(rankOf(entry.label, entry, words), rankOf(entry.path, entry, words));
}

function rankOf(name, entry, words) {
  const path = name.toLowerCase();
  if (!words || path === words) return 0;
  if (path.startsWith(words)) return 1;
  if (path.split(" ").some((word) => word.startsWith(words))) return 2;
  if (path.includes(words)) return 3;
  return entry.description.toLowerCase().includes(words) && words.length > 2 ? 4 : 9;
}

/** The command that a typed line names in full, with the texts of its options: {entry, name, texts} or null.
 *
 *  `/move words:c4 d5` and `/move c4 d5` both work: text without a name goes to the first option. */
export function typed(line, entries) {
  if (!line.startsWith("/")) return null;
  const body = line.slice(1).replace(/^\s+/, "");
  const fitting = entries
    .flatMap((entry) => [entry.label, entry.path].map((name) => ({ entry, name })))
    .filter(({ name }) => body === name || body.startsWith(`${name} `));
  if (fitting.length === 0) return null;
  const { entry, name } = fitting.reduce((a, b) => (b.name.length > a.name.length ? b : a));
  return { entry, name, texts: optionTexts(body.slice(name.length).trim(), entry.options) };
}

function optionTexts(rest, options) {
  const texts = new Map();
  const names = new Map(
    options.flatMap(({ name, label }) => [
      [name, name],
      [label, name],
    ]),
  );
  const marks = [...rest.matchAll(/(?<=^|\s)([^\s:]+):/gu)].filter((m) => names.has(m[1]));
  const lead = rest.slice(0, marks[0]?.index ?? rest.length).trim();
  if (lead && options.length > 0) texts.set(options[0].name, lead);
  marks.forEach((mark, i) => {
    const end = marks[i + 1]?.index ?? rest.length;
    texts.set(names.get(mark[1]), rest.slice(mark.index + mark[0].length, end).trim());
  });
  return texts;
}

/** The choices of an option that are known to the page: [{name, value}], or null if there are none. */
export function fixedChoices(option, { members = [], channels = [] } = {}) {
  if (option.choices?.length) return option.choices;
  if (option.type === OPTION.BOOLEAN)
    return [
      { name: "True", value: true },
      { name: "False", value: false },
    ];
  if (option.type === OPTION.USER || option.type === OPTION.MENTIONABLE) return members;
  if (option.type === OPTION.CHANNEL) return channels;
  return null;
}

/** Convert an option's text to {value} or {error}; an empty optional one gives {}. */
export function valueOf(option, raw, choices) {
  const written = raw.trim();
  if (!written) return option.required ? { error: "This option is required." } : {};
  if (choices) {
    const low = written.replace(/^[@#]/, "").toLowerCase();
    const found = choices.find((c) => c.name.toLowerCase() === low) ?? only(choices, low);
    return found ? { value: found.value } : { error: "Pick one of the list." };
  }
  if (option.type === OPTION.INTEGER || option.type === OPTION.NUMBER) return numberOf(option, written);
  if (option.min_length && written.length < option.min_length) {
    return { error: `At least ${option.min_length} characters.` };
  }
  if (option.max_length && written.length > option.max_length) {
    return { error: `At most ${option.max_length} characters.` };
  }
  return { value: written };
}

/** The choice that begins with this text, if there is exactly one. */
function only(choices, low) {
  const starting = choices.filter((c) => c.name.toLowerCase().startsWith(low));
  return starting.length === 1 ? starting[0] : undefined;
}

function numberOf(option, written) {
  const whole = option.type === OPTION.INTEGER;
  const pattern = whole ? /^[-+]?\d+$/ : /^[-+]?(\d+\.?\d*|\.\d+)$/;
  if (!pattern.test(written)) return { error: whole ? "A whole number, please." : "A number, please." };
  const value = Number(written);
  if (option.min_value != null && value < option.min_value) return { error: `At least ${option.min_value}.` };
  if (option.max_value != null && value > option.max_value) return { error: `At most ${option.max_value}.` };
  return { value };
}

/** The number of choices that a list shows, as on Discord. */
export const MAX_CHOICES = 25;

/** The choices whose name contains the typed text, those that begin with it first. */
export function narrowed(choices, query) {
  const low = query.trim().replace(/^[@#]/, "").toLowerCase();
  if (!low) return choices.slice(0, MAX_CHOICES);
  const starts = choices.filter((c) => c.name.toLowerCase().startsWith(low));
  const holds = choices.filter((c) => !starts.includes(c) && c.name.toLowerCase().includes(low));
  return [...starts, ...holds].slice(0, MAX_CHOICES);
}
