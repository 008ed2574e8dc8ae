// Moments that everybody sees after an event: fists open one after another, trains pay, a card turns over. The table
// draws a moment from public facts, in beats. Nobody waits for it: on a stage, a tap or a key ends it; a strip on one's
// own page gives way to a question to its seat. Late ones, and ones during a count, are skipped.
"use strict";
(() => {
  const body = document.body, stage = document.querySelector("[data-moment-stage]");
  if (!("live" in body.dataset) || !stage) return;
  const own = body.matches(".page-seat"), busy = () => own && Boolean(body.dataset.turn);
  const STALE = 2000, STILL = 2600, STEP = 60, KEEP = 1800, LONGEST = 8000;
  const PACE = { reveal: 550, income: 650, turned: 900, sold: 0 };
  const STILLS = ["reveal", "sold"]; // with reduced motion, only these are shown: the page itself shows the rest
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const DRAWN = 400;
  const shown = window.__moments = [];
  const emit = (name, detail) => document.dispatchEvent(new CustomEvent(name, { detail }));
  let waiting = [], playing = null, ending = null, timers = [], alone = 0;

  const later = (delay, run) => timers.push(setTimeout(run, delay));
  function say(part) {
    emit("companion:say", { text: part.dataset.say, moment: true, last: part === ending });
  }

  function play() {
    if (playing || !waiting.length) return;
    const rest = alone - performance.now();
    if (rest > 0) { setTimeout(play, rest); return; }
    const moment = playing = waiting.shift();
    const card = document.createElement("div");
    card.className = `moment moment-${moment.kind}`;
    card.innerHTML = moment.html;
    const beats = new Map();
    for (const part of card.querySelectorAll("[data-beat]")) beats.set(+part.dataset.beat, [...(beats.get(+part.dataset.beat) || []), part]);
    stage.replaceChildren(card);
    stage.className = "moment-stage";
    if (moment.kind !== "reveal" || calm.matches) flood();
    stage.hidden = false;
    body.dataset.moment = moment.kind;
    emit("companion:moment");
    shown.push(moment.kind);
    if (shown.length > 2000) shown.shift();
    const order = [...beats.keys()].sort((one, other) => one - other);
    ending = order.flatMap((number) => beats.get(number)).filter((part) => part.dataset.say).pop();
    if (calm.matches) still(card, order, beats);
    else beat(order, beats, Math.min(PACE[moment.kind], LONGEST / order.length));
  }
  function beat(order, beats, pace) {
    if (!order.length) { later(KEEP, end); return; }
    const parts = beats.get(order[0]);
    stage.querySelectorAll(".now").forEach((part) => part.classList.remove("now"));
    parts.forEach(open);
    later(Math.max(...parts.map((part) => +(part.dataset.for || pace))), () => beat(order.slice(1), beats, pace));
  }
  // The screen takes the colour of the moment's owner; a reveal takes it only at its end.
  function flood() { if (playing.colour) stage.classList.add(`seat-${playing.colour}`); }
  function open(part) {
    if (part.matches(".moment-result")) flood();
    part.classList.add("seen", "now");
    if (part.dataset.say) say(part);
    emit("companion:tone", { pitch: +(part.dataset.tone || 440), long: Boolean(part.dataset.say), hammer: "hammer" in part.dataset });
    const sum = part.closest("li")?.querySelector("[data-sum]");
    if (sum && part.dataset.sums) JSON.parse(part.dataset.sums).forEach((text, at) => later(STEP * at, () => { sum.textContent = text; }));
  }
  // Show everything at once, without motion.
  function still(card, order, beats) {
    card.classList.add("still");
    for (const part of order.flatMap((number) => beats.get(number))) part.classList.add("seen");
    if (ending) { say(ending); emit("companion:tone", { pitch: 784, long: true, hammer: "hammer" in ending.dataset }); }
    later(STILL, end);
  }
  function end() {
    timers.forEach(clearTimeout);
    timers = [];
    playing = null;
    stage.hidden = true;
    stage.replaceChildren();
    delete body.dataset.moment;
    play();
    if (!playing) emit("companion:moment-over");
  }
  function skip() { if (playing) end(); }

  // Return milliseconds since the table sent a moment. Before the clock is measured, return its age when it was sent.
  function age({ at, now }) {
    const there = window.companion.clock.there(performance.now());
    return there === null ? (now - at) / 1e6 : (there - at) / 1e6;
  }
  // A moment may arrive before the page has drawn its event. Wait for that, so that the player whose turn it ended sees
  // the moment, too.
  document.addEventListener("stream:moment", ({ detail }) => { if (busy()) setTimeout(() => take(detail), DRAWN); else take(detail); });
  function take(detail) {
    if (detail.kind === "ending" || busy() || age(detail) > STALE || document.visibilityState === "hidden" || body.dataset.going) return;
    if (calm.matches && !STILLS.includes(detail.kind)) return;
    detail.heard = performance.now();
    // Simultaneous moments are shown in turn; if the table has moved on, the newer replaces the older.
    waiting = [...waiting.filter((other) => other.at === detail.at), detail];
    if (playing && playing.at !== detail.at) end(); else play();
  }
  // Show counts and raises at once; drop older moments, delay later ones.
  document.addEventListener("companion:cue", ({ detail }) => {
    waiting = [playing, ...waiting].filter((moment) => moment && moment.heard > detail.heard);
    if (detail.alone) alone = performance.now() + detail.alone;
    if (playing && (detail.alone || playing !== waiting[0])) end();
    else if (playing) waiting.shift();
  });
  // A seat with a question sees the question, not the moment. Its page draws the question before the moment arrives.
  document.addEventListener("region:changed", () => queueMicrotask(() => { if (busy()) { waiting = []; skip(); } }));
  document.addEventListener("companion:ending", () => { waiting = []; skip(); });
  // A tap beside the moment ends it and keeps its own effect; a tap on it only ends it.
  document.addEventListener("pointerdown", (event) => { if (!stage.contains(event.target)) skip(); }, true);
  document.addEventListener("keydown", skip, true);
  stage.addEventListener("click", skip);
})();
