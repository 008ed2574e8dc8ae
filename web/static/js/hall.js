// The hall's live pages: changed parts arrive over a stream and replace those on the page; times count up and down;
// forms are sent without leaving the page; a wall turns its pages; a judge's page sounds for a call.
"use strict";
(() => {
  const body = document.body;
  if (!body.classList.contains("page-hall")) return;
  const lostFlash = document.getElementById("hall-lost"), said = document.getElementById("hall-said");
  const box = document.querySelector("[data-parts]"), token = document.querySelector('meta[name="csrf"]').content;
  const FIRST = 1000, LONGEST = 10000, SILENCE = 25000, SAID = 8000, TURN = 12000, RING = 20000;
  let wait = FIRST, heard = 0, stop = null, planned = null, hiding = null;

  // --- times: the hall's, sent with every message; this machine only measures the time since, even asleep.
  const told = () => document.querySelector("[data-clock]")?.dataset.clock ?? body.dataset.at;
  const known = { since: Number(body.dataset.now), at: Number(told()), here: Date.now() };
  function age(seconds) {
    const all = Math.max(0, Math.floor(seconds)), min = Math.floor(all / 60);
    if (all < 60) return body.dataset.ageS.replace("{s}", all);
    if (min < 60) return body.dataset.ageMin.replace("{min}", min);
    return body.dataset.ageH.replace("{h}", Math.floor(min / 60)).replace("{min}", String(min % 60).padStart(2, "0"));
  }
  function put(each, text) { if (each.textContent !== text) each.textContent = text; }
  function count() {
    const passed = (Date.now() - known.here) / 1000;
    for (const each of document.querySelectorAll("time[data-since], time[data-at]")) {
      const kind = "since" in each.dataset ? "since" : "at";
      put(each, age(known[kind] + passed - Number(each.dataset[kind])));
    }
    for (const each of document.querySelectorAll("[data-until]")) {
      const all = Math.ceil(Number(each.dataset.until) - known.at - passed), text = `${Math.floor(all / 60)}:${String(all % 60).padStart(2, "0")}`;
      put(each, all > 0 ? each.dataset.left.replace("{left}", text) : each.dataset.over);
    }
    for (const each of document.querySelectorAll("[data-begins]")) {
      const minutes = Math.ceil((Number(each.dataset.begins) - known.at - passed) / 60), { many, one, on } = each.dataset;
      put(each, minutes > 1 ? many.replace("{count}", minutes) : minutes === 1 ? one : on);
    }
    ring();
  }
  setInterval(count, 1000);
  // A requested part has come; a wall updates the time with it.
  let clock = told();
  addEventListener("hall-shown", () => {
    if (told() !== clock) { clock = told(); known.at = Number(clock); known.here = Date.now(); }
    count();
  });

  // A judge hears a new call at once and repeatedly until somebody takes it. The title shows the number of calls.
  const named = document.title, rung = new Set();
  let rang = 0;
  function ring() {
    if (!document.querySelector("[data-calls]")) return;
    const open = [...document.querySelectorAll(".call-open")].map((each) => each.id), now = performance.now();
    document.title = open.length ? `(${open.length}) ${named}` : named;
    if (!open.length || open.every((id) => rung.has(id)) && now - rang < RING) return;
    for (const id of open) rung.add(id);
    rang = now;
    document.dispatchEvent(new Event("companion:turn"));
  }
  count();

  // --- parts
  function made(html) {
    const holder = document.createElement("template");
    holder.innerHTML = html;
    const part = holder.content.firstElementChild;
    for (const each of part.querySelectorAll('input[name="csrf"]')) each.value = token;
    if (part.matches("form") && part.elements.csrf) part.elements.csrf.value = token;
    return part;
  }
  // Keep elements in which somebody is typing, or that somebody has opened or focused.
  function keep(old, part) {
    for (const each of old.querySelectorAll("input[id], select[id], details[id]")) {
      const same = part.querySelector("#" + CSS.escape(each.id));
      if (!same) continue;
      if (each.matches("details")) same.open = each.open;
      else if (each.value !== each.defaultValue) same.value = each.value;
    }
    if (old.matches("details")) part.open = old.open;
    const there = document.activeElement;
    return there && there.id && old.contains(there) && there !== old ? there.id : "";
  }
  function take(message) {
    known.since = message.now; known.at = message.at; known.here = Date.now();
    for (const [id, html] of Object.entries(message.parts)) {
      const part = made(html), old = document.getElementById(id);
      if (!old) { box.append(part); continue; }
      const focus = keep(old, part);
      old.replaceWith(part);
      if (focus) document.getElementById(focus)?.focus();
    }
    if (message.order) {
      const wanted = new Set(message.order);
      for (const each of [...box.children]) if (!wanted.has(each.id)) each.remove();
      message.order.forEach((id, at) => {
        const part = document.getElementById(id);
        if (part && box.children[at] !== part) box.insertBefore(part, box.children[at] || null);
      });
    }
    count();
    turn(0);
  }

  // --- the stream
  function lost() {
    if (lostFlash) lostFlash.hidden = false;
    body.dataset.lost = "";
    clearTimeout(planned);
    planned = setTimeout(connect, wait);
    wait = Math.min(wait * 1.6, LONGEST);
  }
  function found() {
    heard = performance.now();
    wait = FIRST;
    if (lostFlash) lostFlash.hidden = true;
    delete body.dataset.lost;
  }
  async function connect() {
    clearTimeout(planned);
    stop?.abort();
    const mine = stop = new AbortController();
    heard = performance.now();
    try {
      const query = new URLSearchParams({ lang: document.documentElement.lang, shown: body.dataset.shown });
      const answer = await fetch(`${body.dataset.feed}?${query}`, { signal: mine.signal, cache: "no-store" });
      if (answer.status === 403 || answer.status === 404) { location.reload(); return; }
      if (!answer.ok) throw new Error(String(answer.status));
      const reader = answer.body.getReader(), decoder = new TextDecoder();
      let rest = "";
      for (;;) {
        const { done, value } = await reader.read();
        if (done) throw new Error("ended");
        found();
        rest += decoder.decode(value, { stream: true });
        const blocks = rest.split("\n\n");
        rest = blocks.pop();
        for (const block of blocks) {
          const id = /^id: (.*)$/m.exec(block), data = /^data: (.*)$/m.exec(block);
          if (data) take(JSON.parse(data[1]));
          if (id) body.dataset.shown = id[1];
        }
      }
    } catch {
      if (mine === stop) lost();
    }
  }
  if (body.dataset.feed && box) {
    connect();
    // The server sends something every ten seconds; replace a connection that has died silently.
    setInterval(() => { if (performance.now() - heard > SILENCE && !("lost" in body.dataset)) { stop?.abort(); stop = null; lost(); } }, 5000);
    document.addEventListener("visibilitychange", () => { if (document.visibilityState === "visible" && performance.now() - heard > SILENCE) { wait = FIRST; connect(); } });
    window.addEventListener("pageshow", (event) => { if (event.persisted) connect(); });
  }

  // --- forms
  function say(text) {
    said.textContent = text;
    said.hidden = !text;
    clearTimeout(hiding);
    hiding = setTimeout(() => { said.hidden = true; }, SAID);
  }
  document.addEventListener("submit", async (event) => {
    const form = event.target;
    if (!("quiet" in form.dataset)) return;
    event.preventDefault();
    const fields = new URLSearchParams(new FormData(form, event.submitter));
    const buttons = [...form.querySelectorAll("button")];
    for (const each of buttons) each.disabled = true;
    try {
      const answer = await fetch(form.action, { method: "POST", body: fields, headers: { "X-Hall": "1" } });
      if (answer.ok) {
        say("");
        for (const each of form.querySelectorAll("input[id]")) each.defaultValue = each.value;
      } else say(await answer.text());
    } catch {
      say(lostFlash ? lostFlash.textContent : "");
    }
    for (const each of buttons) each.disabled = false;
  });

  // --- walls: as large as all tables fit; many tables take several pages. Each page starts at a row of the grid.
  const SCALES = [2.6, 2.2, 1.9, 1.6, 1.4, 1.2, 1, 0.85, 0.7], LARGE = 1, MOST_PAGES = 6;
  let pages = [0], at = 0;
  const walled = () => [...box.children].filter((each) => each.id !== "head");
  const fits = () => document.documentElement.scrollHeight <= document.documentElement.clientHeight;
  function show(rows, from, to) { rows.forEach((each, number) => { each.hidden = number < from || number >= to; }); }
  function divide(rows) {
    const columns = getComputedStyle(box).gridTemplateColumns.split(" ").length;
    pages = [0];
    for (let from = 0, to = columns; to < rows.length; to += columns) {
      show(rows, from, to + columns);
      if (!fits()) { pages.push(to); from = to; }
    }
  }
  function measure(rows) {
    for (const scale of SCALES) {
      document.documentElement.style.setProperty("--wall", scale);
      divide(rows);
      if (pages.length <= (scale > LARGE ? 1 : MOST_PAGES)) return;
    }
  }
  function turn(step) {
    if (!box || !("turning" in box.dataset)) return;
    const rows = walled(), label = document.querySelector("[data-page-of]");
    const open = () => { at %= pages.length; show(rows, pages[at], pages[at + 1] ?? rows.length); };
    at += step;
    if (step) measure(rows);
    open();
    if (!fits()) { measure(rows); open(); }
    label.textContent = pages.length < 2 ? "" : label.dataset.pageOf.replace("{page}", at + 1).replace("{pages}", pages.length);
  }
  if (box && "turning" in box.dataset) {
    measure(walled());
    turn(0);
    setInterval(() => turn(1), TURN);
    window.addEventListener("resize", () => { measure(walled()); turn(0); });
    document.fonts?.ready.then(() => { measure(walled()); turn(0); });
  }
})();
