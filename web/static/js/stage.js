// The stage of a demonstration: one stream for all its tablets, the camera's picture, lamps, speed, taking over a seat.
"use strict";
(() => {
  const board = document.querySelector("[data-stage-board]");
  if (!board) return;
  const find = (name) => document.querySelector(`[data-stage-${name}]`);
  const csrf = document.querySelector('meta[name="csrf"]')?.content || "";
  const WIDE = 1000, OFTEN = 250, SELDOM = 800, WATCH = 3000, KEPT = 60;
  const frames = [...board.querySelectorAll("iframe")].sort((a, b) => a.dataset.at - b.dataset.at);
  const send = (where, fields) => fetch(where, { method: "POST", body: new URLSearchParams(fields), headers: { "X-CSRF": csrf, "HX-Request": "true" } }).catch(() => {});

  // --- tablets ------------------------------------------------------------------------------------

  // A tablet's page matches a certain message. When it asks, it gets the later ones.
  const kept = frames.map(() => []);
  const numbered = (id) => { const [tag, number] = (id || "-").split("-"); return { tag, number: Number(number) }; };
  const named = (block) => numbered(/^id: (.*)$/m.exec(block)?.[1]);
  function later(block, shown) {
    const one = named(block), other = numbered(shown);
    return !one.tag || one.tag !== other.tag || one.number > other.number;
  }
  window.addEventListener("message", (event) => {
    const at = frames.findIndex((frame) => frame.contentWindow === event.source);
    if (event.origin !== location.origin || at < 0 || !event.data?.shown) return;
    for (const block of kept[at]) if (later(block, event.data.shown)) event.source.postMessage(block, location.origin);
  });
  function hand(block) {
    const at = Number(/^to: (\d+)$/m.exec(block)?.[1] ?? -1);
    if (at === frames.length) lamps(block);
    if (at < 0 || at >= frames.length) return;
    kept[at].push(block);
    if (kept[at].length > KEPT) kept[at].shift();
    frames[at].contentWindow?.postMessage(block, location.origin);
  }
  const unfold = () => frames.forEach((frame) => { if (!frame.src) frame.src = frame.dataset.src; });
  const fit = new ResizeObserver((all) => all.forEach(({ target }) => {
    const frame = target.querySelector("iframe");
    frame.style.transform = `scale(${target.clientWidth / frame.offsetWidth})`;
  }));
  document.querySelectorAll(".stage-frame").forEach((place) => fit.observe(place));

  async function listen() {
    try {
      const answer = await fetch(`stream?page=${board.dataset.page}`, { cache: "no-store" });
      if (!answer.ok) throw new Error(String(answer.status));
      const reader = answer.body.getReader(), decoder = new TextDecoder();
      let rest = "";
      unfold();
      for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        rest += decoder.decode(value, { stream: true });
        let end;
        while ((end = rest.indexOf("\n\n")) >= 0) { hand(rest.slice(0, end)); rest = rest.slice(end + 2); }
      }
    } catch { /* it is tried again */ }
    setTimeout(listen, 1000);
  }

  function lamps(block) {
    if (!/^event: pins$/m.test(block)) return;
    const told = JSON.parse(/^data: (.*)$/m.exec(block)[1]);
    document.querySelectorAll("[data-stage-lamp]").forEach((lamp) => lamp.classList.toggle("lit", Boolean(told.lamps[lamp.dataset.stageLamp])));
    document.querySelectorAll("[data-stage-pin]").forEach((place) => place.classList.toggle("down", told.buttons[place.dataset.stagePin] === "closed"));
  }

  // --- camera and progress ------------------------------------------------------------------------

  let watched = 0, at = "", drawn = "", chosen = 0, choosing = 0, ratio = 0.562;
  const picture = find("picture");
  const { shape, labels, tokenMarks } = window.companionAnnotations(() => ratio);
  async function look() {
    let wait = SELDOM;
    if (document.visibilityState === "visible") {
      try {
        const asked = chosen;
        const now = await (await fetch("now.json", { cache: "no-store" })).json();
        if (now.ready === ("coming" in board.dataset) || (now.ready && now.match !== board.dataset.match)) { location.reload(); return; }
        wait = OFTEN;
        if (now.ready) { tell(now, asked); await show(now.camera); }
      } catch { /* the companion is away for a moment */ }
    }
    setTimeout(look, wait);
  }
  function put(name, text) { const place = find(name); if (place && place.textContent !== text) place.textContent = text; }
  function tell(now, asked) {
    put("doing", now.doing); put("counts", now.counts); put("wrong", now.wrong); put("camera", now.camera?.doing || "");
    find("again").hidden = now.state !== "over";
    if (asked === chosen && !choosing) lit(now.speed); // an answer sent before the tap has the old speed
    document.querySelectorAll("[data-stage-seat]").forEach((place) => {
      const mine = now.taken.includes(Number(place.dataset.stageSeat));
      place.classList.toggle("mine", mine);
      place.querySelectorAll("[data-take]").forEach((button) => { button.hidden = (button.dataset.take === "1") === mine; });
    });
  }
  async function choose(speed) {
    lit(Number(speed));
    choosing += 1;
    await send("speed", { speed });
    choosing -= 1;
    chosen += 1;
  }
  function lit(speed) {
    document.querySelectorAll("[data-speed]").forEach((button) => button.setAttribute("aria-pressed", Number(button.dataset.speed) === speed ? "true" : "false"));
  }
  async function show(camera) {
    if (!camera) return;
    if (camera.sees && Date.now() - watched > WATCH) { watched = Date.now(); send("watch", {}); }
    if (camera.at && camera.at !== at) await load(camera.at);
    const key = JSON.stringify([camera.cards, camera.tokens, camera.places, at]);
    if (key === drawn || picture.hidden) return;
    drawn = key;
    find("drawn").setAttribute("viewBox", `0 0 ${WIDE} ${WIDE * ratio}`);
    find("drawn").replaceChildren(...Object.values(camera.places).map((outline) => shape(outline, "place")),
      ...camera.cards.filter((card) => card.outline.length === 4).map((card) => shape(card.outline, `card ${card.sure}`)), ...labels(camera.cards), ...tokenMarks(camera.tokens));
  }
  function load(next) {
    return new Promise((done) => {
      const image = new Image();
      image.onload = () => {
        at = next;
        ratio = image.naturalHeight / image.naturalWidth; // the picture on the page may not have its size yet
        picture.src = image.src;
        picture.hidden = false;
        find("waits").hidden = true;
        done();
      };
      image.onerror = done;
      image.src = `live.jpg?${next}`;
      setTimeout(done, 4000);
    });
  }
  // --- watchers' wishes ---------------------------------------------------------------------------

  document.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    if (button.dataset.speed !== undefined) choose(button.dataset.speed);
    else if (button.dataset.take !== undefined) send("take", { seat: button.closest("[data-stage-seat]").dataset.stageSeat, on: button.dataset.take });
    else if (button.matches("[data-stage-again]")) { button.hidden = true; send("again", {}); }
  });

  if (frames.length) listen();
  look();
})();
