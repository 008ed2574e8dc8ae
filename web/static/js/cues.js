// Cues, which everybody sees and hears at the same instant: counts, opening fists, a raise. Moments (moments.js)
// follow. A cue with a time appears in the frame nearest to that time of the table's clock; one without, at once.
"use strict";
(() => {
  const body = document.body;
  if (!("live" in body.dataset)) return;
  const { words, players } = JSON.parse(body.dataset.cues);
  const lang = document.documentElement.lang;
  const stage = document.querySelector("[data-stage]"), message = document.querySelector("[data-cue-message]");
  const SLACK = 30, LATE = 700, OPEN_FOR = 1000, NAMES = ["one", "two", "three"];
  const shown = window.__cues = [];
  const waiting = new Map(); // scheduled cues: key -> cancel
  let clearing = null;

  // --- look and sound of a cue --------------------------------------------------------------------

  const fill = (key, fields) => Object.entries(fields).reduce((text, [name, value]) => text.replace(`{${name}}`, value), words[key]);
  const money = (amount) => {
    const gap = "\u202f";
    return fill("money", { figures: String(amount).replace(/\B(?=(\d{3})+$)/g, lang === "fr" ? gap : ",") }).replace(" ", gap);
  };
  const name = (seat) => players[seat]?.name || "";

  function picture(cue) {
    switch (cue.message) {
      case "count": {
        const by = cue.to === "reveal" ? words.soon : cue.seat === null || cue.seat === undefined ? words.companion : fill("counts", { name: name(cue.seat) });
        const lit = cue.to === "reveal" ? 4 - cue.number : cue.number;
        return { kind: "number", big: String(cue.number), small: by, lit, seat: cue.seat, speak: words["say_" + NAMES[cue.number - 1]], keep: 800, tone: 520 + 60 * lit };
      }
      case "reveal": return { kind: "open", big: words.open, small: words.opens, speak: words.open, keep: 1400, tone: 990, long: true };
      case "raise": return { kind: "raise", big: fill("raise", { name: name(cue.seat), amount: money(cue.amount) }), seat: cue.seat, speak: fill("raise", { name: name(cue.seat), amount: money(cue.amount) }), keep: 1200, tone: 660 };
    }
    return null;
  }

  function element(tag, className, text) {
    const made = document.createElement(tag);
    made.className = className;
    if (text !== undefined) made.textContent = text;
    return made;
  }
  function plate(seat) {
    const who = players[seat];
    if (!who) return null;
    const box = element("span", `badge seat-${who.colour}`);
    box.innerHTML = `<svg class="pic shape" focusable="false"><use href="/static/img/sprite.svg#shape-${who.shape}"/></svg>`;
    return box;
  }

  function show(cue, frame, heard) {
    const look = picture(cue);
    if (!look) return;
    const clock = window.companion.clock;
    shown.push({ message: cue.message, number: cue.number, at: cue.at || 0, frame, there: clock.there(frame), wall: performance.timeOrigin + frame });
    if (shown.length > 2000) shown.shift();
    const box = element("div", `cue cue-${look.kind}${cue.to ? " to-" + cue.to : ""}`);
    const seal = look.seat === null || look.seat === undefined ? null : plate(look.seat);
    if (seal && look.kind !== "number") box.append(seal);
    box.append(element("b", "cue-big", look.big));
    if (look.lit) {
      const lamps = element("span", "cue-lamps");
      for (let n = 1; n <= 3; n++) lamps.append(element("i", n <= look.lit ? "lit" : ""));
      box.append(lamps);
    }
    if (look.small) {
      const line = element("span", "cue-small");
      if (seal && look.kind === "number") line.append(seal);
      line.append(look.small);
      box.append(line);
    }
    stage.replaceChildren(box);
    stage.hidden = false;
    if (cue.message === "reveal") alone = performance.now() + OPEN_FOR;
    if (cue.seat === null || cue.seat === undefined) message.textContent = look.speak; // the log reports actions of seats
    clearTimeout(clearing);
    clearing = setTimeout(clear, look.keep);
    document.dispatchEvent(new CustomEvent("companion:tone", { detail: { pitch: look.tone, long: Boolean(look.long) } }));
    document.dispatchEvent(new CustomEvent("companion:cue", { detail: { heard, alone: cue.message === "reveal" ? OPEN_FOR : 0 } }));
    say(look.speak);
  }
  function clear() { stage.hidden = true; stage.replaceChildren(); }
  document.addEventListener("companion:moment", clear);

  // --- timing -------------------------------------------------------------------------------------

  // While the fists open, nothing else appears: later cues wait.
  let alone = 0;
  function schedule(cue, now, heard = performance.now()) {
    const rest = alone - performance.now();
    if (!cue.at && rest > 0) { setTimeout(() => schedule(cue, now, heard), rest); return; }
    const clock = window.companion.clock;
    let due = 0;
    if (cue.at) {
      due = clock.here(cue.at);
      if (due === null) due = performance.now() + (cue.at - now) / 1e6; // the clock is not measured yet: use the time of sending
      if (performance.now() - due > LATE) return;
    }
    const key = `${cue.message}/${cue.number || ""}/${cue.at}/${performance.now()}`;
    let frame = 0, timer = 0;
    const half = period / 2;
    const tick = (at) => {
      // The nearest frame: this one, unless the next is closer to the moment.
      if (at >= due - half) { waiting.delete(key); show(cue, at, heard); } else frame = requestAnimationFrame(tick);
    };
    const begin = () => { frame = requestAnimationFrame(tick); };
    const early = due - performance.now() - SLACK;
    if (early > 0) timer = setTimeout(begin, early); else begin();
    if (cue.at) waiting.set(key, () => { clearTimeout(timer); cancelAnimationFrame(frame); });
    else if (document.visibilityState === "hidden") { cancelAnimationFrame(frame); }
  }
  function stop() {
    for (const cancel of waiting.values()) cancel();
    waiting.clear();
    if (stage.querySelector(".cue-number")) clear();
  }

  // The length of a frame on this screen: the shortest of a few.
  let period = 1000 / 60;
  (() => {
    let last = 0, left = 12, best = Infinity;
    const step = (at) => {
      if (last && at > last) best = Math.min(best, at - last);
      last = at;
      if (left-- > 0) requestAnimationFrame(step);
      else if (best > 3 && best < 50) period = best;
    };
    requestAnimationFrame(step);
  })();

  document.addEventListener("stream:cue", (event) => {
    const { cue, now } = event.detail;
    switch (cue.message) {
      case "stopped": stop(); break;
      case "ready": body.dataset.ready = (cue.seats || []).join(" "); break;
      case "leading": body.dataset.leading = cue.seat ?? ""; break;
      case "your_turn": break;
      case "ending": end(cue.what || ""); break;
      case "trouble": body.dataset.trouble = cue.what || ""; if (cue.what) stop(); break;
      default: schedule(cue, now);
    }
  });

  // During shutdown every page shows that, even after its stream has ended.
  function end(what) {
    const box = document.querySelector("[data-goodbye]");
    const news = what && body.dataset.going !== what;
    body.dataset.going = what;
    if (what) {
      box.querySelector(".goodbye-big").textContent = words["ending_" + what];
      box.querySelector(".goodbye-small").textContent = words["ending_" + what + "_small"];
      box.className = "goodbye goodbye-" + what;
      stop();
    }
    box.hidden = !what;
    if (news) say(words["ending_" + what]);
  }

  // voice.js decides which cues are spoken and captioned.
  function say(text) { document.dispatchEvent(new CustomEvent("companion:say", { detail: { text } })); }
})();
