// The camera's page: the live picture with recognised cards, correcting a card, setting the places by hand. The page
// requests pictures only while somebody looks.
"use strict";
(() => {
  const root = document.querySelector("[data-camera]");
  if (!root) return;
  const find = (name) => document.querySelector(`[data-${name}]`);
  const csrf = document.querySelector('meta[name="csrf"]')?.content || "";
  const WIDE = 1000, SOON = 200, SLOW = 1000, WATCH = 3000;
  const picture = find("camera-picture"), drawn = find("camera-drawn"), list = find("camera-cards");
  const frame = find("camera-frame"), waits = find("camera-waits"), doing = find("camera-doing");
  let at = "", last = "", seen = null, watched = 0, placing = null, ratio = 0.562;

  function make(kind, className, text) {
    const made = document.createElement(kind);
    if (className) made.className = className;
    if (text !== undefined) made.textContent = text;
    return made;
  }
  function toast(html, good) {
    const place = find("toast");
    if (!place || !html) return;
    const box = make("div");
    box.setAttribute("role", good ? "status" : "alert");
    box.innerHTML = html; // a sentence from our own server
    place.replaceChildren(box);
    place.hidden = false;
    setTimeout(() => { if (box.isConnected) place.hidden = true; }, 8000);
  }
  async function send(where, fields) {
    const answer = await fetch(where, { method: "POST", body: new URLSearchParams(fields), headers: { "X-CSRF": csrf, "HX-Request": "true" } });
    const text = (await answer.text()).trim();
    return { good: answer.ok, text };
  }
  async function tell(where, fields) {
    try {
      const { good, text } = await send(where, fields);
      toast(text, good);
      return good;
    } catch { return false; }
  }

  // --- watching -----------------------------------------------------------------------------------

  async function look() {
    let wait = SLOW;
    if (document.visibilityState === "visible" && !document.body.dataset.offline) {
      try {
        if (Date.now() - watched > WATCH && seen?.sees) { watched = Date.now(); send("camera/watch", boxBoard.busy() ? { whole: "1" } : {}).catch(() => {}); }
        const answer = await fetch("camera/live.json", { cache: "no-store" });
        if (answer.ok) {
          const began = Date.now();
          await show(await answer.json());
          if (seen.sees) wait = Math.max(SOON - (Date.now() - began), SOON);
        }
      } catch { /* the page's own stream says that the connection is lost */ }
    }
    setTimeout(look, wait);
  }

  async function show(now) {
    seen = now;
    root.hidden = !now.there;
    find("camera-none").hidden = now.there;
    if (!now.there) find("camera-why").textContent = now.trouble;
    if (doing.textContent !== now.doing) doing.textContent = now.doing;
    if (now.at && now.at !== at) await load(now.at);
    if (!now.at) { picture.hidden = true; waits.hidden = false; at = ""; }
    showTools();
    const key = JSON.stringify([now.cards, now.tokens, now.places, now.covered, now.facts, now.hanging, now.table]);
    if (key !== last) { last = key; draw(now); write(now); }
  }
  const busy = () => placing !== null || boxBoard.busy();
  function showTools() { find("camera-tools").hidden = !seen?.alive || busy(); }
  function load(next) {
    return new Promise((done) => {
      const image = new Image();
      image.onload = () => {
        at = next;
        ratio = image.naturalHeight / image.naturalWidth; // the picture on the page may not have its size yet
        picture.src = image.src;
        picture.hidden = false;
        waits.hidden = true;
        drawn.setAttribute("viewBox", `0 0 ${WIDE} ${WIDE * ratio}`);
        done();
      };
      image.onerror = done;
      image.src = `camera/live.jpg?${next}`;
      setTimeout(done, 5000);
    });
  }

  // --- drawing ------------------------------------------------------------------------------------

  const { shape, labels, tokenMarks } = window.companionAnnotations(() => ratio);
  function draw(now) {
    const parts = [];
    if (picture.hidden) { drawn.replaceChildren(); return; }
    for (const outline of Object.values(now.places)) parts.push(shape(outline, "place"));
    now.cards.forEach((card, number) => {
      if (card.outline.length !== 4) return;
      const outline = shape(card.outline, `card ${card.sure}`);
      outline.dataset.card = number;
      parts.push(outline);
    });
    parts.push(...labels(now.cards), ...tokenMarks(now.tokens));
    if (placing) parts.push(shape(placing, "placing"));
    drawn.replaceChildren(...parts);
  }

  // --- the list -----------------------------------------------------------------------------------

  function write(now) {
    const focus = list.contains(document.activeElement) ? document.activeElement.dataset.key : "";
    const places = new Map();
    now.cards.forEach((card, number) => places.set(card.where, [...(places.get(card.where) || []), [card, number]]));
    const parts = [];
    for (const [where, cards] of places) {
      const section = make("section", "camera-place");
      section.append(make("h3", "", where));
      const items = make("ul", "camera-items");
      for (const [card, number] of cards) items.append(item(card, number));
      section.append(items);
      parts.push(section);
    }
    for (const [where, names] of now.token_lines) {
      const section = make("section", "camera-place");
      section.append(make("h3", "", where), make("p", "camera-tokens", names.join(" · ")));
      parts.push(section);
    }
    if (!parts.length) parts.push(make("p", "hint", root.dataset.empty));
    list.replaceChildren(...parts);
    if (focus) list.querySelector(`[data-key="${CSS.escape(focus)}"]`)?.focus({ preventScroll: true });
    const covered = find("camera-covered");
    covered.hidden = !now.covered.length;
    covered.textContent = `${root.dataset.covered} ${now.covered.join(", ")}`;
    facts(now.facts);
    hanging(now);
  }
  function hanging(now) {
    find("camera-hanging").hidden = !now.hanging.length;
    if (!now.hanging.length) return;
    find("hanging-lines").replaceChildren(...now.hanging.map((line) => make("li", "", line)));
    const sketch = find("hanging-sketch"), high = WIDE * ratio, rim = WIDE / 20;
    // the picture has a rim, because a table may lie partly outside it
    sketch.setAttribute("viewBox", `${-rim} ${-rim} ${WIDE + 2 * rim} ${high + 2 * rim}`);
    const parts = [shape([[0, 0], [1, 0], [1, 1], [0, 1]], "sketch-picture"), shape(now.table, "sketch-table")];
    if (now.hangs_ill) parts.push(shape(wanted(now.table), "sketch-wanted"));
    sketch.replaceChildren(...parts);
  }
  function wanted(table) { // where the table should lie, as large as fits
    let [wide, high] = [0, 1].map((axis) => Math.max(...table.map((point) => point[axis])) - Math.min(...table.map((point) => point[axis])));
    const turned = [high * ratio, wide / ratio];
    if (Math.max(...turned) < 0.92 * Math.max(wide, high)) [wide, high] = turned;
    const larger = 0.46 / Math.max(wide, high);
    return [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([x, y]) => [0.5 + x * wide * larger, 0.5 + y * high * larger]);
  }
  function item(card, number) {
    const line = make("li"), button = make("button", `sighting ${card.sure}`);
    button.type = "button";
    button.dataset.card = number;
    button.dataset.key = `${card.place}/${card.at}/${card.name}`;
    button.append(make("b", "", card.name));
    if (card.why) button.append(make("small", "", card.why));
    button.append(make("span", "percent", root.dataset.percent.replace("{percent}", card.percent)));
    line.append(button);
    return line;
  }
  function facts(now) {
    const lines = ["mat", "deck", "scale", "fps", "size"].filter((name) => now[name]).map((name) => make("li", name, now[name]));
    find("camera-facts").replaceChildren(...lines);
    find("camera-facts").hidden = !lines.length;
  }

  // --- naming a card --------------------------------------------------------------------------------

  const dialog = find("naming"), search = find("naming-find");
  let named = null;
  function ask(card) {
    named = { place: card.place, at: card.at };
    find("naming-where").textContent = `${card.where}: ${card.name}`;
    const likely = find("naming-likely");
    likely.replaceChildren(...card.likeliest.slice(0, 3).map(([name, said], nth) => {
      const button = make("button", nth ? "button" : "button main", said);
      button.type = "button";
      button.dataset.nameCard = name;
      return button;
    }));
    search.value = "";
    filter();
    dialog.showModal();
    (likely.querySelector("button") || search).focus();
  }
  const SPELT = { æ: "ae", œ: "oe", ß: "ss", ø: "o", ł: "l", đ: "d" };
  const plain = (text) => text.normalize("NFD").replace(/[\u0300-\u036f]/g, "").toLowerCase().replace(/[æœßøłđ]/g, (letter) => SPELT[letter]);
  function filter() {
    const wanted = plain(search.value).split(/\s+/).filter(Boolean);
    let any = false;
    for (const group of dialog.querySelectorAll("[data-pick-group]")) {
      let some = false;
      for (const button of group.querySelectorAll("[data-find]")) {
        const fits = wanted.every((word) => plain(button.dataset.find).includes(word));
        button.hidden = !fits;
        some = some || fits;
      }
      group.hidden = !some;
      any = any || some;
    }
    find("naming-none").hidden = any;
  }
  search.addEventListener("input", filter);
  search.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault(); // otherwise the key would press the control that gets the focus when the dialog closes
    const left = [...dialog.querySelectorAll("[data-find]")].filter((button) => !button.hidden);
    if (left.length === 1) left[0].click();
  });
  find("naming-stop").addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", async (event) => {
    if (event.target === dialog) { dialog.close(); return; } // outside the dialog
    const button = event.target.closest("[data-name-card]");
    if (!button || !named) return;
    const fields = { ...named, card: button.dataset.nameCard };
    dialog.close();
    await tell("camera/name", fields);
  });
  root.addEventListener("click", (event) => {
    const touched = event.target.closest("[data-card]");
    if (touched && seen && !busy()) ask(seen.cards[+touched.dataset.card]);
  });

  // --- calibrating ----------------------------------------------------------------------------------

  find("calibrate").addEventListener("click", async (event) => {
    const button = event.currentTarget, before = button.textContent;
    button.disabled = true;
    button.textContent = root.dataset.calibrating;
    await tell("camera/calibrate", {});
    button.disabled = false;
    button.textContent = before;
  });

  // --- the places by hand -----------------------------------------------------------------------------

  const dragged = window.companionCorners({
    frame, handles: find("camera-handles"), names: JSON.parse(root.dataset.corners), stopped: end,
    moved(corners) {
      placing = corners;
      const old = drawn.querySelector(".placing"), now = shape(placing, "placing");
      if (old) old.replaceWith(now); else drawn.append(now);
    },
  });
  const { spot, clamp, way } = dragged;
  function begin() {
    for (const [name, hidden] of [["placing", false], ["camera-tools", true]]) find(name).hidden = hidden;
    dragged.begin();
  }
  function end() {
    placing = null;
    dragged.end();
    drawn.querySelector(".placing")?.remove();
    find("placing").hidden = true;
    find("camera-tools").hidden = false;
    find("place").focus();
  }
  find("place").addEventListener("click", begin);
  find("place-stop").addEventListener("click", end);
  find("place-save").addEventListener("click", async () => {
    const corners = JSON.stringify(placing.map((corner) => corner.map((value) => Math.round(value * 1e4) / 1e4)));
    if (await tell("camera/places", { corners })) end();
  });

  const boxBoard = window.companionBoxBoard({ frame, make, send, toast, spot, clamp, way, changed: () => { watched = 0; showTools(); } });
  look();
})();
