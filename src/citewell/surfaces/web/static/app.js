// Which view stands where: the part of the address after `#` says so, and the browser's own buttons go back and forth.

import { signOut, tellWhoIsThere } from "./api.js";
import { failure, make, show } from "./elements.js";
import { addView, editView, listView, readView } from "./documents.js";
import { searchView } from "./search.js";

const VIEWS = [
  [/^\/search$/, searchView],
  [/^\/documents$/, listView],
  [/^\/new$/, addView],
  [/^\/documents\/([^/]+)$/, readView],
  [/^\/edit\/([^/]+)$/, editView],
];

let visit = 0;

async function route({ focus }) {
  const mine = ++visit;
  const [path, asked = ""] = location.hash.slice(1).split("?");
  markPlace(path);
  const [pattern, view] = VIEWS.find(([form]) => form.test(path)) ?? VIEWS[0];
  const given = (pattern.exec(path)?.slice(1) ?? []).map(decodeURIComponent);
  const here = { current: () => mine === visit, asked: new URLSearchParams(asked) };
  try {
    await view(here, ...given);
  } catch (error) {
    if (here.current()) show("That did not work", failure(error), make("p", {}, make("a", { href: "#/documents" }, "All documents")));
  }
  if (focus && here.current()) document.querySelector("main h1")?.focus();
}

function markPlace(path) {
  const place = path.startsWith("/search") || path === "" ? "#/search" : "#/documents";
  for (const link of document.querySelectorAll("nav a")) {
    if (link.getAttribute("href") === place) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  document.getElementById("main").focus();
});
document.getElementById("forget").addEventListener("click", () => {
  signOut();
  location.hash = "#/search";
});
window.addEventListener("hashchange", () => route({ focus: true }));
tellWhoIsThere();
route({ focus: false });
