// Elements made from names and texts. Text is only ever set as text: nothing here reads markup.

/** Returns an element with properties (`on…` are listeners, `aria-…`, `data-…` and the like attributes) and children. */
export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name in element && !name.includes("-") && name !== "list") element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== ""));
  return element;
}

/** Says something to those who listen rather than look. */
export function announce(text) {
  document.getElementById("status").textContent = text;
}

/** Shows a view: its heading becomes the title of the page and the place where reading begins. */
export function show(title, ...children) {
  const heading = make("h1", { tabIndex: -1 }, title);
  document.getElementById("main").replaceChildren(heading, ...children.filter(Boolean));
  document.title = `${title} · citewell`;
  return heading;
}

/** Returns a box that says what went wrong, by code and in words. */
export function failure(error) {
  return make("p", { className: "failure", role: "alert" }, make("code", {}, error.code ?? "ERROR"), " ", error.message);
}

/** Returns `url` where it leads to the web, and null for anything else that may pass for an address. */
export function webAddress(url) {
  try {
    const address = new URL(url, location.href);
    return address.protocol === "https:" || address.protocol === "http:" ? address : null;
  } catch {
    return null;
  }
}

/** Returns a link to a source: into this page where our own reader answers, else to where the source stands. */
export function sourceLink(url, label) {
  const address = webAddress(url);
  if (address === null) return make("span", {}, label);
  if (address.origin === location.origin && address.pathname.startsWith("/documents/")) {
    const id = decodeURIComponent(address.pathname.slice("/documents/".length));
    const lines = [address.searchParams.get("start_line"), address.searchParams.get("end_line")].filter(Boolean).join("-");
    return make("a", { href: documentHash(id, lines) }, label);
  }
  return make("a", { href: address.href, target: "_blank", rel: "noopener noreferrer" }, label);
}

/** Returns lines as people say them, from `5-5` or `5-9`. */
export function linesLabel(lines) {
  const [from, to] = lines.split("-");
  return from === to ? `line ${from}` : `lines ${from}–${to}`;
}

/** Returns where on this page a document is read, from `lines` on where they are given. */
export function documentHash(id, lines = "") {
  return `#/documents/${encodeURIComponent(id)}${lines ? `?lines=${lines}` : ""}`;
}

/** Returns the label under which something is shown, and the field it belongs to. */
export function field(label, control, hint = "") {
  const parts = [make("label", { htmlFor: control.id }, label), control];
  if (hint) {
    control.setAttribute("aria-describedby", `${control.id}-hint`);
    parts.push(make("p", { id: `${control.id}-hint`, className: "hint" }, hint));
  }
  return make("div", { className: "field" }, ...parts);
}
