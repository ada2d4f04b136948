// The REST calls of the page. A call that is refused for want of a token asks for one, and is made again.

import { readEvents } from "./events.js";

const KEPT = "citewell.token";

/** An answer that is no success: `code` is stable, `message` is for people. */
export class ApiError extends Error {
  constructor(status, code, message) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** Forgets the token that was given. */
export function signOut() {
  sessionStorage.removeItem(KEPT);
  tellWhoIsThere();
}

/** Shows the way out only to those who came in. */
export function tellWhoIsThere() {
  document.getElementById("forget").hidden = sessionStorage.getItem(KEPT) === null;
}

export const search = (query, collection, cursor) => callJson("POST", "/search", { query, ...some({ collection, cursor }) });
export const sources = () => callJson("GET", "/sources");
export const listDocuments = (page, size) => callJson("GET", `/documents?page=${page}&size=${size}`);
export const readDocument = (id) => callJson("GET", documentPath(id));
export const createDocument = (title, content, collection) =>
  callJson("POST", `/documents?${new URLSearchParams(some({ collection }))}`, { title, content });
export const replaceDocument = (id, title, content) => callJson("PUT", documentPath(id), { title, content });
export const deleteDocument = (id) => call("DELETE", documentPath(id));

/** Hands a file over as it is; whether it is taken is for the server to say. */
export async function uploadDocument(file) {
  const form = new FormData();
  form.append("file", file, file.name);
  return (await call("POST", "/documents", form)).json();
}

/** Yields the events of an answer: `sources`, then `text` many times, then `done`. */
export async function* streamAnswer(question, collection, signal) {
  const body = JSON.stringify({ question, ...some({ collection }) });
  yield* readEvents(await call("POST", "/ask/stream", body, { signal }));
}

/** Yields the events of the best passage, a character each. */
export async function* streamPassage(query, collection, signal) {
  const asked = new URLSearchParams({ q: query, ...some({ collection }) });
  yield* readEvents(await call("GET", `/search/stream?${asked}`, undefined, { signal }));
}

async function callJson(method, path, body) {
  return (await call(method, path, body === undefined ? undefined : JSON.stringify(body))).json();
}

async function call(method, path, body, options = {}) {
  for (;;) {
    const response = await send(method, path, body, options);
    if (response.ok) return response;
    const error = await readProblem(response);
    if (response.status !== 401 || !(await askForToken())) throw error;
  }
}

async function send(method, path, body, options) {
  const headers = { Accept: "application/json, text/event-stream" };
  const token = sessionStorage.getItem(KEPT);
  if (token) headers.Authorization = `Bearer ${token}`;
  if (typeof body === "string") headers["Content-Type"] = "application/json";
  try {
    return await fetch(path, { method, headers, body, credentials: "omit", redirect: "error", ...options });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError(0, "UNREACHABLE", "The server does not answer. Is it still running?");
  }
}

async function readProblem(response) {
  const text = await response.text();
  try {
    const problem = JSON.parse(text);
    return new ApiError(response.status, problem.code, problem.detail);
  } catch {
    return new ApiError(response.status, `HTTP_${response.status}`, text || response.statusText);
  }
}

/** Asks who is there; says whether a token was given. */
function askForToken() {
  const dialog = document.getElementById("sign-in");
  const input = document.getElementById("token");
  signOut();
  input.value = "";
  return new Promise((resolve) => {
    const close = () => {
      const given = dialog.returnValue === "take" ? input.value.trim() : "";
      input.value = "";
      if (given) sessionStorage.setItem(KEPT, given);
      tellWhoIsThere();
      resolve(Boolean(given));
    };
    if (dialog.open) dialog.addEventListener("close", () => resolve(sessionStorage.getItem(KEPT) !== null), { once: true });
    else {
      dialog.returnValue = "";
      dialog.addEventListener("close", close, { once: true });
      dialog.showModal();
    }
  });
}

function documentPath(id) {
  return `/documents/${id.split("/").map(encodeURIComponent).join("/")}`;
}

function some(fields) {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value));
}
