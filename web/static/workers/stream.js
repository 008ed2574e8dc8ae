// One connection for all pages of this browser, including hidden ones: browsers open at most six to one machine. Pages
// join with their address and their last message; each gets the messages for its address, language and match.
"use strict";
const SOON = 40, PATIENCE = 5000, GONE = 40000, LONGEST = 8000, FIRST = 1000, STEADY = 2000;
const name = Math.random().toString(36).slice(2);
const pages = new Map(); // by port: address, language, the message it shows, when it was heard last
let stop = null, planned = null, wait = FIRST, plain = "", open = "";

const place = (page) => `${page.at} ${page.lang} ${page.match}`;
const places = () => [...new Set([...pages.values()].map(place))];
const numbered = (id) => { const [tag, number] = (id || "-").split("-"); return { tag, number: Number(number) }; };
function later(id, shown) {
  const one = numbered(id), other = numbered(shown);
  return one.tag !== other.tag || one.number > other.number;
}
// The oldest last message of all pages at an address, or nothing if they cannot be compared.
function oldest(where) {
  const shown = [...pages.values()].filter((page) => place(page) === where).map((page) => page.shown);
  const found = shown.reduce((one, other) => later(one, other) ? other : one);
  return shown.every((each) => numbered(each).tag === numbered(found).tag) ? found : "";
}

self.onconnect = (event) => {
  const port = event.ports[0];
  port.onmessage = ({ data }) => {
    if (data.leave) { pages.delete(port); if (!pages.size) connect(); return; }
    const known = pages.get(port);
    if (known) known.heard = Date.now();
    if (!data.at) return;
    pages.set(port, { at: data.at, lang: data.lang, match: data.match, shown: data.shown, heard: Date.now() });
    port.postMessage({ joined: true });
    plan(SOON);
  };
};
function tell(what) { for (const port of pages.keys()) port.postMessage(what); }
function plan(delay) { clearTimeout(planned); planned = setTimeout(connect, delay); }
function again() {
  tell({ lost: true });
  plan(wait);
  wait = Math.min(wait * 1.6, LONGEST);
}
// A page that was closed silently answers no more.
function forget() {
  for (const [port, page] of pages) if (Date.now() - page.heard > GONE) pages.delete(port);
  if (places().join() !== open) plan(SOON);
}

async function connect() {
  clearTimeout(planned);
  const before = stop, here = places();
  if (!here.length) { stop?.abort(); stop = null; open = ""; return; }
  // Keep the old connection until the new one opens: nothing is missed in between.
  const mine = stop = new AbortController();
  const since = Date.now();
  let begun = false;
  const first = setTimeout(() => { if (!begun && mine === stop) { plain = "1"; mine.abort(); again(); } }, PATIENCE);
  try {
    const query = new URLSearchParams({ page: name, plain });
    for (const where of here) {
      const [at, lang, match] = where.split(" ");
      query.append("at", at); query.append("lang", lang); query.append("match", match); query.append("last", oldest(where));
    }
    open = here.join();
    const answer = await fetch("/live/stream?" + query, { signal: mine.signal, cache: "no-store", headers: { Accept: "text/event-stream" } });
    if (!answer.ok) throw new Error(String(answer.status));
    const reader = answer.body.getReader(), decoder = new TextDecoder();
    let rest = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done && mine === stop && Date.now() - since > STEADY) { plan(SOON); return; } // as when another match begins
      if (done) throw new Error("ended");
      if (!begun) { begun = true; before?.abort(); }
      if (mine === stop) wait = FIRST;
      rest += decoder.decode(value, { stream: true });
      const blocks = rest.split("\n\n");
      rest = blocks.pop();
      for (const block of blocks) hand(block, here);
      tell({ heard: true });
      forget();
    }
  } catch {
    if (mine === stop && !mine.signal.aborted) { before?.abort(); again(); }
  } finally { clearTimeout(first); }
}

function hand(block, here) {
  const to = /^to: (\d+)\n/.exec(block), id = /^id: (.*)$/m.exec(block)?.[1];
  if (!to) return;
  for (const [port, page] of pages) {
    if (place(page) !== here[to[1]] || (id && !later(id, page.shown))) continue;
    if (id) page.shown = id;
    port.postMessage({ block });
    if (/^event: (gone|anew)$/m.test(block)) pages.delete(port);
  }
}
