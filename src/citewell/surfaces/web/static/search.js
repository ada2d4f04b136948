// Search, ask and stream.

import * as api from "./api.js";
import { announce, failure, field, linesLabel, make, show, sourceLink } from "./elements.js";

const DEGRADED = "Not everything took part: ";

/** The state of the view outlives a visit to a document: who comes back finds what he found before. */
const kept = { query: "", collection: "", found: [] };

let running = null;

/** Shows the form, and below it what was found last. */
export async function searchView(here) {
  const query = make("input", { id: "query", type: "search", value: kept.query, required: true, maxLength: 2000, autocomplete: "off", dir: "auto" });
  const collection = make("select", { id: "collection" }, make("option", { value: "" }, "All collections"));
  const choice = field("Collection", collection);
  choice.hidden = true;
  const found = make("section", { id: "found", "aria-label": "Results" }, ...kept.found);
  const buttons = [["search", "Search", "primary"], ["ask", "Ask", ""], ["stream", "Stream the best passage", ""]];
  const actions = buttons.map(([value, label, className]) => make("button", { type: "submit", name: "how", value, className }, label));
  const form = make("form", { role: "search", onsubmit: (event) => submit(event, query, collection, found) },
    field("Your question or words", query), choice, make("div", { className: "actions" }, ...actions));
  show("Search", form, found);
  query.focus();
  await offerCollections(here, collection, choice);
}

async function offerCollections(here, select, choice) {
  const { sources } = await api.sources();
  const names = [...new Set(sources.map((source) => source.collection))].sort();
  if (!here.current()) return;
  select.append(...names.map((name) => make("option", { value: name, selected: name === kept.collection }, name)));
  choice.hidden = names.length < 2;
}

async function submit(event, query, collection, found) {
  event.preventDefault();
  running?.abort();
  const mine = (running = new AbortController());
  Object.assign(kept, { query: query.value, collection: collection.value });
  found.replaceChildren(make("p", { className: "hint" }, "One moment…"));
  found.setAttribute("aria-busy", "true");
  const work = { ask: showAnswer, stream: showPassage }[event.submitter?.value] ?? showResults;
  try {
    await work(found, mine.signal);
  } catch (error) {
    if (error.name !== "AbortError" && !mine.signal.aborted) found.replaceChildren(failure(error));
  }
  if (mine !== running) return;
  found.removeAttribute("aria-busy");
  kept.found = [...found.children];
}

async function showResults(found, signal, cursor = "") {
  const answer = await api.search(kept.query, kept.collection, cursor);
  if (signal.aborted) return;
  const list = cursor ? found.querySelector("ol") : make("ol", { className: "results" });
  list.append(...answer.results.map(result));
  if (!cursor) found.replaceChildren(...retrievalNotes(answer), list);
  found.querySelector(".more")?.remove();
  if (answer.cursor) found.append(moreButton(found, signal, answer.cursor));
  if (!list.children.length) found.append(make("p", {}, "Nothing was found."));
  announce(`${list.children.length} results`);
}

function moreButton(found, signal, cursor) {
  const click = () => showResults(found, signal, cursor).catch((error) => found.append(failure(error)));
  return make("button", { type: "button", className: "more", onclick: click }, "More results");
}

function result(item) {
  const place = [item.path, item.lines && linesLabel(item.lines), item.collection].filter(Boolean).join(" · ");
  return make("li", {},
    make("h2", {}, sourceLink(item.url, item.title)),
    make("p", { className: "facts" }, score(item.score), item.section && item.section !== item.title ? make("span", {}, item.section) : null,
      item.version ? make("span", { className: "tag" }, item.version) : null),
    make("blockquote", { className: "passage", dir: "auto" }, item.snippet),
    make("p", { className: "place" }, place));
}

function score(value) {
  const shown = value.toFixed(2);
  return make("span", { className: "score" }, make("meter", { min: 0, max: 1, value, "aria-hidden": "true" }), ` Score ${shown}`);
}

function retrievalNotes({ retrieval, degraded = [] }) {
  const notes = [];
  if (degraded.length) notes.push(make("p", { className: "notice", role: "note" }, DEGRADED, ...degraded.flatMap((reason) => [make("code", {}, reason), " "])));
  if (retrieval) notes.push(make("p", { className: "hint" }, `${retrieval.intent} · ${retrieval.mode}: ${retrieval.reason}`));
  return notes;
}

async function showAnswer(found, signal) {
  const text = make("p", { className: "answer", dir: "auto" });
  let told = null;
  let answer = "";
  for await (const event of api.streamAnswer(kept.query, kept.collection, signal)) {
    if (event.name === "error") throw problem(event.data);
    if (event.name === "sources") {
      told = JSON.parse(event.data);
      found.replaceChildren(...retrievalNotes(told), text, sourcesPanel(told));
    } else if (event.name === "text") text.textContent = answer += event.data;
  }
  if (told === null) throw new api.ApiError(0, "INCOMPLETE", "The answer broke off.");
  if (told.answerable) text.replaceChildren(...withLabels(answer));
  else text.replaceWith(make("p", { className: "notice" }, "The documents do not answer this. ", make("code", {}, told.reason ?? "")));
  announce(told.answerable ? `Answered from ${told.citations.length} sources` : "The documents do not answer this");
}

/** Returns the answer with its labels as buttons that lead to their sources. */
function withLabels(answer) {
  return answer.split(/(\[c\d+\])/).map((part) => {
    const label = /^\[(c\d+)\]$/.exec(part)?.[1];
    if (!label) return part;
    const go = () => document.getElementById(`source-${label}`)?.focus();
    return make("button", { type: "button", className: "label", onclick: go, "aria-label": `Source ${label}` }, part);
  });
}

function sourcesPanel({ citations, answerable }) {
  const title = answerable ? "Sources" : "Nearest passages";
  if (!citations.length) return make("p", { className: "hint" }, "No passage comes near.");
  return make("section", { className: "sources", "aria-labelledby": "sources-title" },
    make("h2", { id: "sources-title" }, title),
    make("ol", {}, ...citations.map((citation) =>
      make("li", { id: `source-${citation.id}`, tabIndex: -1 },
        make("p", {}, make("span", { className: "tag" }, citation.id), " ", sourceLink(citation.url, citation.title),
          citation.section && citation.section !== citation.title ? ` · ${citation.section}` : "", citation.version ? ` · ${citation.version}` : ""),
        make("blockquote", { className: "passage", dir: "auto" }, citation.quote),
        make("p", { className: "place" }, `${citation.path} · ${linesLabel(citation.lines)}`)))));
}

async function showPassage(found, signal) {
  const text = make("blockquote", { className: "passage streamed", dir: "auto" });
  let passage = "";
  let ended = false;
  found.replaceChildren(text);
  for await (const event of api.streamPassage(kept.query, kept.collection, signal)) {
    if (event.name === "error") throw problem(event.data);
    if (event.data === "[DONE]") ended = true;
    else text.textContent = passage += event.data;
  }
  if (!ended) throw new api.ApiError(0, "INCOMPLETE", "The stream broke off.");
  if (!passage) text.replaceWith(make("p", {}, "Nothing was found."));
  announce(passage ? "The passage is complete" : "Nothing was found");
}

function problem(data) {
  const { code, detail } = JSON.parse(data);
  return new api.ApiError(0, code, detail);
}
