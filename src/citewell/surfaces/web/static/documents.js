// Documents: listed, read, added, edited, deleted, taken from files.

import * as api from "./api.js";
import { announce, documentHash, failure, field, make, show, sourceLink, webAddress } from "./elements.js";

const SIZE = 20;
const EXCERPT = 200;

/** Shows a page of the documents. */
export async function listView(here) {
  const page = Math.max(1, Number.parseInt(here.asked.get("page") ?? "1", 10) || 1);
  const listed = await api.listDocuments(page, SIZE);
  if (!here.current()) return;
  const outcome = make("ul", { className: "outcome", "aria-live": "polite" });
  const list = make("ul", { className: "documents" }, ...listed.items.map(listItem));
  show("Documents", intake(outcome), outcome, listed.total ? list : make("p", {}, "There is no document here that you may read."), pager(listed));
  announce(`${listed.total} documents`);
}

function listItem(item) {
  const characters = [...item.content.slice(0, 2 * EXCERPT).replace(/\s+/g, " ").trim()];
  const excerpt = characters.slice(0, EXCERPT).join("") + (item.content.length > EXCERPT ? "…" : "");
  return make("li", {}, make("h2", {}, make("a", { href: documentHash(item.id) }, item.title)),
    make("p", { className: "excerpt", dir: "auto" }, excerpt), make("p", { className: "place" }, item.id));
}

function pager({ page, size, total }) {
  const last = Math.max(1, Math.ceil(total / size));
  const step = (to, label) => (to >= 1 && to <= last ? make("a", { href: `#/documents?page=${to}`, className: "button" }, label) : null);
  const count = total === 1 ? "1 document" : `${total} documents`;
  return make("nav", { className: "pager", "aria-label": "Pages of documents" },
    step(page - 1, "Previous"), make("span", {}, last > 1 ? `Page ${page} of ${last}, ${count}` : count), step(page + 1, "Next"));
}

/** Returns the ways in: a form, or files chosen or dropped. */
function intake(outcome) {
  const input = make("input", { id: "files", type: "file", multiple: true, onchange: () => takeFiles([...input.files], outcome) });
  const hover = (over) => (event) => {
    event.preventDefault();
    area.classList.toggle("over", over);
  };
  const drop = (event) => {
    hover(false)(event);
    takeFiles([...event.dataTransfer.files], outcome);
  };
  const area = make("div", { className: "intake", ondragover: hover(true), ondragleave: hover(false), ondrop: drop },
    make("a", { href: "#/new", className: "button primary" }, "Add a document"),
    field("Text files", input, "Choose them, or drop them here."));
  return area;
}

async function takeFiles(files, outcome) {
  for (const file of files) {
    const line = make("li", {}, `${file.name}: one moment…`);
    outcome.append(line);
    try {
      const taken = await api.uploadDocument(file);
      line.replaceChildren(`${file.name}: added as `, make("a", { href: documentHash(taken.id) }, taken.title));
    } catch (error) {
      line.className = "failure";
      line.replaceChildren(`${file.name}: `, make("code", {}, error.code ?? "ERROR"), ` ${error.message}`);
    }
  }
}

/** Shows a document, with the lines that were asked for in front. */
export async function readView(here, id) {
  const found = await api.readDocument(id);
  if (!here.current()) return;
  const heading = show(found.title, toolbar(found), contents(found, here.asked.get("lines") ?? ""), facts(found));
  heading.dir = "auto";
  document.querySelector(".asked")?.scrollIntoView({ block: "center" });
}

function toolbar(found) {
  const address = webAddress(found.url);
  const elsewhere = address !== null && address.origin !== location.origin;
  const own = found.metadata.editable === "true";
  return make("div", { className: "actions" },
    own ? make("a", { href: `#/edit/${encodeURIComponent(found.id)}`, className: "button primary" }, "Edit") : null,
    own ? make("button", { type: "button", className: "danger", onclick: () => remove(found) }, "Delete") : null,
    elsewhere ? sourceLink(found.url, "Read it where it comes from") : null,
    own ? null : make("span", { className: "hint" }, "This document can only be changed where it comes from."));
}

function contents(found, asked) {
  const [from, to = from] = asked.split("-").map(Number);
  const first = Number.parseInt(found.lines, 10) || 1;
  const lines = found.content.split("\n").map((line, index) => {
    const inside = first + index >= from && first + index <= to;
    return inside ? make("mark", { className: "asked" }, `${line}\n`) : `${line}\n`;
  });
  return make("pre", { className: "contents", dir: "auto", lang: found.metadata.language ?? "", tabIndex: 0, "aria-label": "Text of the document" }, ...lines);
}

function facts(found) {
  const shown = Object.entries(found.metadata).filter(([name, value]) => value && name !== "editable");
  const pairs = [["id", found.id], ...shown].flatMap(([name, value]) => [make("dt", {}, name), make("dd", { dir: "auto" }, value)]);
  return make("details", {}, make("summary", {}, "What is known of it"), make("dl", {}, ...pairs));
}

async function remove(found) {
  const dialog = document.getElementById("confirm");
  document.getElementById("confirm-title").textContent = `Delete “${found.title}”?`;
  dialog.returnValue = "";
  dialog.showModal();
  await new Promise((resolve) => dialog.addEventListener("close", resolve, { once: true }));
  if (dialog.returnValue !== "yes") return;
  try {
    await api.deleteDocument(found.id);
    location.hash = "#/documents";
  } catch (error) {
    document.querySelector("main .actions").after(failure(error));
  }
}

/** Shows the form for a new document. */
export async function addView() {
  form("Add a document", { title: "", content: "" }, "#/documents", api.createDocument);
}

/** Shows the form for a document that is there. */
export async function editView(here, id) {
  const found = await api.readDocument(id);
  if (here.current()) form(`Edit ${found.title}`, found, documentHash(id), (title, content) => api.replaceDocument(id, title, content));
}

function form(heading, before, back, save) {
  const title = make("input", { id: "title", value: before.title, autocomplete: "off", dir: "auto" });
  const content = make("textarea", { id: "content", value: before.content, rows: 12, dir: "auto" });
  const collection = make("input", { id: "collection", autocomplete: "off", spellcheck: false });
  const trouble = make("div");
  const button = make("button", { type: "submit", className: "primary" }, "Save");
  const submit = async (event) => {
    event.preventDefault();
    button.disabled = true;
    try {
      const saved = await save(title.value, content.value, collection.value.trim());
      location.hash = documentHash(saved.id);
    } catch (error) {
      trouble.replaceChildren(failure(error));
      trouble.scrollIntoView({ block: "nearest" });
    } finally {
      button.disabled = false;
    }
  };
  const where = before.id ? null : field("Collection (optional)", collection, "Needed only where documents can be written to several.");
  show(heading, make("form", { onsubmit: submit, noValidate: true }, trouble, field("Title", title), field("Text", content), where,
    make("div", { className: "actions" }, button, make("a", { href: back, className: "button" }, "Cancel"))));
  title.focus();
}
