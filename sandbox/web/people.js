// Choosing a person: the first screen, and the form that adds one.

import { $, avatar, el, fill, icon } from "./dom.js";
import { addPerson, listPeople } from "./api.js";

/** The address that opens the page as this person. */
export function addressOf(person) {
  return `${location.pathname}?person=${encodeURIComponent(person.id)}`;
}

/** The person that this window's address names by id or name, or null. */
export function personOf(people, search = location.search) {
  const wanted = new URLSearchParams(search).get("person");
  if (!wanted) return null;
  return (
    people.find((p) => p.id === wanted) ??
    people.find((p) => p.name.toLowerCase() === wanted.toLowerCase()) ??
    null
  );
}

/** A person to switch to, here or in a second window. */
export function personRow(person, here = false) {
  const name = el(
    "span",
    { class: "name" },
    person.name,
    here && el("span", { class: "note" }, " · this window"),
  );
  return el(
    "li",
    { class: "person" },
    here
      ? el("span", { class: "person-link", "aria-current": "true" }, avatar(person, "small"), name)
      : el("a", { class: "person-link", href: addressOf(person) }, avatar(person, "small"), name),
    el(
      "a",
      {
        class: "round",
        href: addressOf(person),
        target: "_blank",
        "aria-label": `Open a second window as ${person.name}`,
        title: `Open a second window as ${person.name}`,
      },
      icon("window"),
    ),
  );
}

const LANGUAGES = [
  ["en-US", "English"],
  ["it", "Italiano"],
  ["fr", "Français"],
  ["de", "Deutsch"],
  ["es-ES", "Español"],
];

/** A form that adds a person; calls `onAdded(person)` when the sandbox has done so. */
export function addForm(onAdded) {
  const input = el("input", {
    type: "text",
    name: "name",
    maxlength: "32",
    required: true,
    placeholder: "New name",
    "aria-label": "Name of a new person",
    autocomplete: "off",
  });
  const language = el(
    "select",
    { name: "language", "aria-label": "Language of a new person" },
    LANGUAGES.map(([code, name]) => el("option", { value: code }, name)),
  );
  const problem = el("p", { class: "failed", role: "alert", hidden: true });
  const form = el(
    "form",
    { class: "add-person" },
    input,
    language,
    el("button", { type: "submit", class: "btn secondary" }, "Add"),
    problem,
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const name = input.value.trim();
    if (!name) return;
    try {
      onAdded(await addPerson(name, language.value));
    } catch (error) {
      problem.hidden = false;
      problem.textContent = error.message;
    }
  });
  return form;
}

/** The first screen: choose who to be. */
export async function showStart(reason = "") {
  const start = $("#start");
  const problem = el("p", { class: "failed", role: "alert" }, reason);
  const list = el("ul", { class: "people" });
  fill(
    start,
    el(
      "div",
      { class: "start-card" },
      el("img", { src: "/static/icon.svg", alt: "", width: "64", height: "64" }),
      el("h1", {}, "Who are you?"),
      el(
        "p",
        {},
        "This is a sandbox: a chat on this computer alone, with a real bot in it. ",
        "To play as two people, open a window for each, or switch.",
      ),
      problem,
      list,
      addForm((person) => location.assign(addressOf(person))),
      el("p", { class: "small" }, "Sandbox · nothing leaves this computer"),
    ),
  );
  start.hidden = false;
  $("#app").hidden = true;
  document.title = "Who are you? · Sandbox";
  try {
    const people = await listPeople();
    fill(
      list,
      people.map((person) => personRow(person)),
    );
    $("a", list)?.focus();
  } catch (error) {
    problem.textContent = error.message;
  }
}

export const people = { list: listPeople, addForm };
