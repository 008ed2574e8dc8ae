// Live pages: keeps one stream open, replaces changed regions without disturbing input, sends the page's form token and
// version with every move, and shows the answer at the control.
"use strict";
(() => {
  const body = document.body;
  const csrf = document.querySelector('meta[name="csrf"]')?.content || "";

  // --- every form ---------------------------------------------------------------------------------

  document.addEventListener("htmx:config:request", (event) => {
    const request = event.detail.ctx.request;
    if (body.dataset.offline || again(event.detail.ctx)) { event.preventDefault(); return; }
    request.headers["X-CSRF"] = csrf;
    if (request.body?.set) {
      request.body.delete("csrf");
      if (body.dataset.shown) request.body.set("seen", body.dataset.shown);
    }
  });

  // The same form is sent again only after the page has received the move that the table accepted.
  const TOLD = 1000;
  let taken = null;
  function again(ctx) {
    return taken && formOf(ctx) === taken.form && body.dataset.shown === taken.shown && Date.now() - taken.at < TOLD;
  }
  function formOf(ctx) { return ctx.sourceElement?.closest?.("form"); }

  // An answer is out of date once the table moves on.
  const READ = 2500;
  let answered = 0;

  function say(form, html, good) {
    const place = form?.isConnected ? form : null;
    document.querySelectorAll("[data-answer]").forEach((old) => old.remove());
    answered = Date.now();
    if (!html) return;
    const box = document.createElement("div");
    box.dataset.answer = "";
    box.setAttribute("role", good ? "status" : "alert");
    box.innerHTML = html;
    if (place) place.append(box);
    else {
      const toast = document.querySelector("[data-toast]");
      if (!toast) return;
      box.dataset.toasted = "";
      toast.replaceChildren(box);
      toast.hidden = false;
      setTimeout(() => { if (box.isConnected) toast.hidden = true; }, 8000);
    }
  }

  document.addEventListener("htmx:after:request", (event) => {
    const ctx = event.detail.ctx;
    const form = formOf(ctx);
    const good = ctx.response.status < 400;
    if (good && form) taken = { form, shown: body.dataset.shown, at: Date.now() };
    say(form, (ctx.text || "").trim(), good);
    if (ctx.hx?.redirect) window.companion.leave();
    if (good && ctx.response.status === 204 && body.dataset.handed && !ctx.hx?.redirect && !form?.matches("[data-takeback]")) hideSoon(1500);
  });
  // A message about a field replaces an older answer, and is in the page's language, not the browser's.
  document.addEventListener("invalid", ({ target: field }) => {
    say(null, "");
    const lacks = !field.validity.valueMissing ? "unfinished" : field.type === "radio" ? "unchosen" : "unfilled";
    field.setCustomValidity(document.querySelector(`meta[name="${lacks}"]`).content);
  }, true);
  document.addEventListener("input", ({ target: field }) => {
    for (const each of field.form?.elements || []) if (each.validity?.customError) each.setCustomValidity("");
  }, true);
  document.addEventListener("htmx:error", (event) => {
    if (event.detail?.ctx?.request) { lost(); open(); }
  });
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.matches("[data-seen]")) form.elements.seen.value = body.dataset.shown || "";
    if (body.dataset.offline && form.matches("[hx-post]")) { event.preventDefault(); event.stopPropagation(); }
  }, true);

  // The second of two quick taps does not count on a control that the first one brought under the finger. If a slow
  // table brought the control, taps do not count for a moment.
  const TWICE = 400, SEEN = 250, SLOW = 1500, NEAR = 32;
  let tapped = null;
  document.addEventListener("region:changed", ({ target, timeStamp: at }) => {
    if (tapped && at - tapped.at < SLOW && !tapped.brought.has(target)) tapped.brought.set(target, at);
  });
  document.addEventListener("click", (event) => {
    if (!event.detail) return; // a key or a screen reader: there is no finger
    const button = event.target.closest("button"), { timeStamp: at, clientX: x, clientY: y } = event, before = tapped;
    tapped = { at, x, y, button, shown: body.dataset.shown, brought: new Map() };
    if (!before || button?.type !== "submit" || Math.hypot(x - before.x, y - before.y) > NEAR) return;
    if (at - before.at > TWICE && !(at - before.brought.get(button.closest("[data-region]")) < SEEN)) return;
    if (button === before.button && body.dataset.shown === before.shown) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }, true);
  document.addEventListener("input", () => { tapped = null; }, true); // after typing, the next tap is not the second of two

  if (!("live" in body.dataset)) return;

  // --- regions ------------------------------------------------------------------------------------

  function put(name, html, parts) {
    const region = document.getElementById("region-" + name);
    if (!region) return;
    const active = region.contains(document.activeElement) ? document.activeElement : null;
    const which = active?.type === "radio" ? `[value="${CSS.escape(active.value)}"]` : "";
    const focus = active && (active.dataset.keep ? `[data-keep="${CSS.escape(active.dataset.keep)}"]${which}` : active.id ? `#${CSS.escape(active.id)}` : "");
    const caret = active && active.selectionStart !== undefined ? [active.selectionStart, active.selectionEnd] : null;
    const answer = region.querySelector("[data-answer]");
    const written = parts ? Object.keys(parts).map((part) => region.querySelector(`[data-part="${CSS.escape(part)}"]`)) : [region];
    if (written.includes(null)) return;
    written.forEach((node, at) => { node.innerHTML = parts ? Object.values(parts)[at] : html; });
    if (name === "seats") mark();
    if (answer && document.querySelector("[data-toast]")) say(null, answer.innerHTML, answer.getAttribute("role") === "status");
    if (focus) queueMicrotask(() => { // after `controls.js` has restored what was chosen: it may show the field
      const fields = [...region.querySelectorAll(focus), ...region.querySelectorAll("[type=radio][data-keep]:checked, [type=radio][data-keep]")];
      const field = fields.find((each) => each.checkVisibility());
      if (field) { field.focus({ preventScroll: true }); if (caret && caret[0] !== null) try { field.setSelectionRange(...caret); } catch { /* a number has no caret */ } }
    });
    if (window.htmx) written.forEach((node) => window.htmx.process(node));
    region.dispatchEvent(new CustomEvent("region:changed", { bubbles: true, detail: { name } }));
  }

  // Everybody gets the same text about all seats; mark one's own here.
  function mark() {
    const own = body.dataset.own && document.querySelector(`#region-seats .seat-${CSS.escape(body.dataset.own)}`);
    if (!own || own.classList.contains("mine")) return;
    own.classList.add("mine");
    const you = document.createElement("span");
    you.className = "you";
    you.textContent = body.dataset.you;
    own.querySelector(".who")?.after(you);
  }
  mark();

  function show(id, message) {
    if (Date.now() - answered > READ) say(null, "");
    Object.entries(message.regions).forEach(([name, html]) => put(name, html));
    Object.entries(message.parts || {}).forEach(([name, parts]) => put(name, "", parts));
    if (id) body.dataset.shown = id;
    turn(message.turn);
  }

  const title = document.title;
  function turn(mine) {
    if (mine && !body.dataset.turn) document.dispatchEvent(new CustomEvent("companion:turn"));
    body.dataset.turn = mine ? "1" : "";
    document.title = (mine ? "● " : "") + title;
  }

  // --- the stream ---------------------------------------------------------------------------------

  const BEAT = 10000, MISSED = 2 * BEAT + 2000;
  const banners = { lost: document.querySelector("[data-lost]"), full: document.querySelector("[data-full]"), ended: document.querySelector("[data-ended]") };
  let heard = 0;

  function banner(name, text) {
    // A table that announced its shutdown does not count as lost.
    const gone = ["off", "restart"].includes(body.dataset.going);
    Object.entries(banners).forEach(([each, box]) => { if (box) box.hidden = each !== name || (gone && each === "lost"); });
    if (name && text && banners[name]) banners[name].textContent = text;
    if (name) body.dataset.offline = name; else delete body.dataset.offline;
    document.querySelectorAll("[data-region]").forEach((region) => { region.inert = Boolean(name); });
  }
  // Until it hears from the table again, a page is out of date and shows no instruction.
  function fresh() {
    heard = Date.now();
    delete body.dataset.resting;
    if (body.dataset.offline) banner(null);
  }
  function lost() {
    delete body.dataset.resting;
    banner("lost");
  }
  const connection = window.companion.connection({
    heard: fresh, take, lost, full: (said) => banner("full", said), ended: () => banner("ended"), awake: () => "sounding" in body.dataset,
  });

  // On a demonstration's stage all pages share the stage's connection, because browsers open at most six.
  const staged = "staged" in body.dataset && window.parent !== window;
  if (staged) window.addEventListener("message", (event) => {
    if (event.origin !== location.origin || event.source !== window.parent || typeof event.data !== "string") return;
    fresh();
    take(event.data);
  });

  function open() {
    heard = Date.now();
    if (staged) window.parent.postMessage({ shown: body.dataset.shown }, location.origin);
    else connection.open();
  }

  function take(block) {
    let id = "", kind = "regions", data = "";
    block.split("\n").forEach((line) => {
      if (line.startsWith("id: ")) id = line.slice(4);
      else if (line.startsWith("event: ")) kind = line.slice(7);
      else if (line.startsWith("data: ")) data += line.slice(6);
    });
    if (!data) return;
    if (kind === "regions") show(id, JSON.parse(data));
    else document.dispatchEvent(new CustomEvent("stream:" + kind, { detail: JSON.parse(data) }));
  }

  document.addEventListener("stream:moved", () => open());
  document.addEventListener("visibilitychange", () => {
    const known = Date.now() - heard <= BEAT + 2000 && !("resting" in body.dataset);
    if (document.visibilityState !== "visible" || known) return;
    body.dataset.resting = "";
    open();
  });
  window.addEventListener("online", open);
  window.addEventListener("offline", () => banner("lost"));
  window.addEventListener("pageshow", (event) => { if (event.persisted) open(); });
  setInterval(() => {
    const hidden = document.visibilityState === "hidden" && "resting" in body.dataset;
    if (Date.now() - heard > MISSED && banners.ended?.hidden && banners.full?.hidden && !hidden) { lost(); open(); }
  }, 5000);
  open();
  if (body.dataset.turn) document.title = "● " + title;

  // --- a seat on the shared tablet: closed after a move, or when idle ------------------------------

  let hiding = null;
  function hideSoon(delay) {
    clearTimeout(hiding);
    hiding = setTimeout(() => { // wait while the seat may take its move back
      if (document.querySelector("[data-takeback]:not([hidden])")) hideSoon(500);
      else document.querySelector("[data-hide]")?.click();
    }, delay);
  }
  if (body.dataset.handed) {
    const idle = 1000 * Number(body.dataset.handed);
    hideSoon(idle);
    ["pointerdown", "keydown", "input"].forEach((kind) => document.addEventListener(kind, () => hideSoon(idle)));
    document.addEventListener("visibilitychange", () => { if (document.visibilityState === "hidden") document.querySelector("[data-hide]")?.click(); });
  }
})();
