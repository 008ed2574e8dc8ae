// A board: a tap on a lit cell presses its button, arrow keys move between cells, and the map keeps its position and
// zoom.
"use strict";
(() => {
  const sizes = new Map(); // zoom and place of each board by its name, kept when it is drawn again

  const buttonOf = (cell) => {
    const scope = cell.closest("[data-region], form") || document;
    return scope.querySelector(`[data-choose="${CSS.escape(cell.dataset.cell)}"]`);
  };

  // A cell smaller than a fingertip asks first, even if nothing is paid.
  const FINGER = 44, LEAST = 24, TOUCH = 46; // pixels; TOUCH: of a cell in a map of `data-pixels`
  function makeSure(cell, button) {
    const question = button.closest("[data-region]")?.querySelector("[data-sure]");
    if (!question || button.hasAttribute("popovertarget")) return false;
    const sure = question.querySelector("[data-sure-do]");
    question.dataset.question = cell.dataset.cell;
    question.querySelector(".cell-title").textContent = button.textContent.trim();
    sure.textContent = button.dataset.does;
    question.dataset.says = question.dataset.asks.replace("[what]", button.dataset.does.includes(cell.dataset.cell) ? button.dataset.does : `${button.textContent.trim()}: ${button.dataset.does}`);
    ["form", "name", "value"].forEach((name) => sure.setAttribute(name, button.getAttribute(name)));
    question.showPopover();
    return true;
  }

  function choose(cell, byFinger) {
    const select = cell.closest("form")?.querySelector("select[data-cells]");
    if (select) {
      if ([...select.options].some((option) => option.value === cell.dataset.cell)) {
        select.value = cell.dataset.cell;
        select.dispatchEvent(new Event("change", { bubbles: true }));
      }
      return;
    }
    const button = buttonOf(cell);
    if (button && !(byFinger && cell.querySelector(".ground").getBoundingClientRect().width < FINGER && makeSure(cell, button))) button.click();
  }

  // The cell of an open question stays marked and shows its name.
  document.addEventListener("toggle", (event) => {
    if (!event.target.matches?.(".cell-question")) return;
    const region = event.target.closest("[data-region]"), name = CSS.escape(event.target.dataset.question);
    for (const part of region.querySelectorAll(`[data-cell="${name}"], [data-glow="${name}"]`)) part.classList.toggle("chosen", event.newState === "open");
    const said = region.querySelector(".chosen-name"), glow = region.querySelector(`[data-glow="${name}"]`);
    if (!said || !glow) return;
    said.textContent = event.newState === "open" ? event.target.dataset.question : "";
    for (const at of ["x", "y"]) said.setAttribute(at, glow.getAttribute(at));
  }, true);

  // --- by touch and by keys -----------------------------------------------------------------------

  document.addEventListener("click", (event) => {
    const cell = event.target.closest?.(".board-map .cell.lit");
    if (cell) choose(cell, event.detail > 0);
  });

  const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  document.addEventListener("keydown", (event) => {
    const cell = event.target.closest?.(".board-map .cell");
    if (!cell) return;
    if ((event.key === "Enter" || event.key === " ") && cell.classList.contains("lit")) {
      event.preventDefault();
      choose(cell);
    }
    const way = WAYS[event.key];
    if (!way) return;
    event.preventDefault();
    const middle = (node) => { const box = node.querySelector(".ground").getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; };
    const [x, y] = middle(cell);
    let best = null, least = Infinity;
    cell.closest(".board-map").querySelectorAll(".cell").forEach((other) => {
      const [u, v] = middle(other);
      const along = (u - x) * way[0] + (v - y) * way[1], aside = Math.abs((u - x) * way[1]) + Math.abs((v - y) * way[0]);
      if (other === cell || along < 4 || aside > along * 1.8) return;
      const far = along + 1.5 * aside;
      if (far < least - 1) { least = far; best = other; } // of two that are about equally far, take the first
    });
    best?.focus();
  });

  document.addEventListener("focusin", (event) => {
    const cell = event.target.closest?.(".board-map .cell");
    const ring = cell?.closest(".board-map").querySelector(".focus-ring"), ground = cell?.querySelector(".ground");
    if (ring) ["href", "x", "y"].forEach((name) => ring.setAttribute(name, ground.getAttribute(name)));
  });

  // --- the amendment's list and map show the same cell ----------------------------------------------

  document.addEventListener("change", (event) => {
    if (!event.target.matches?.("select[data-cells]")) return;
    event.target.form.querySelectorAll(".board-map .cell").forEach((cell) => cell.classList.toggle("chosen", cell.dataset.cell === event.target.value));
    event.target.form.querySelectorAll(".board-map .glow").forEach((glow) => glow.classList.toggle("chosen", glow.dataset.glow === event.target.value));
  });

  // --- size and place ---------------------------------------------------------------------------------

  const WHOLE = 0; // the zoom that shows the whole map; at zoom 1 cells are large enough for a finger

  const natural = (frame) => Math.max(frame.clientWidth, Number(frame.querySelector(".board-map").dataset.pixels));
  const pixelsPerMillimetre = (map) => map.getScreenCTM().a;
  const cellSize = (map) => pixelsPerMillimetre(map) * TOUCH * map.viewBox.baseVal.width / Number(map.dataset.pixels);

  function draw(frame, zoom) {
    const map = frame.querySelector(".board-map"), { width, height } = map.viewBox.baseVal, wide = natural(frame) * zoom;
    map.classList.toggle("zoomed", zoom !== WHOLE);
    map.setAttribute("width", String(Math.max(frame.clientWidth, Math.round(wide))));
    map.style.height = zoom === WHOLE ? "" : `${wide * height / width}px`;
    map.classList.toggle("small", cellSize(map) < FINGER);
  }

  // At first show the whole map. If its cells would be tiny, show the cells that can be tapped and those with pieces.
  function first(frame) {
    draw(frame, WHOLE);
    const map = frame.querySelector(".board-map"), size = cellSize(map);
    if (size >= LEAST) return null;
    const marks = frame.querySelectorAll(map.querySelector(".cell.lit") ? ".cell.lit .ground" : ".piece");
    if (!marks.length) return null;
    const boxes = [...marks].map((mark) => mark.getBoundingClientRect()), around = map.getBoundingClientRect();
    const left = Math.min(...boxes.map((at) => at.left)), right = Math.max(...boxes.map((at) => at.right));
    const top = Math.min(...boxes.map((at) => at.top)), bottom = Math.max(...boxes.map((at) => at.bottom));
    const larger = Math.min(frame.clientWidth / (right - left + size), FINGER / size);
    draw(frame, Math.max(LEAST / size, larger) * pixelsPerMillimetre(map) * map.viewBox.baseVal.width / natural(frame));
    const middle = [((left + right) / 2 - around.left) / around.width, ((top + bottom) / 2 - around.top) / around.height];
    return { left: middle[0] * frame.scrollWidth - frame.clientWidth / 2, top: middle[1] * frame.scrollHeight - frame.clientHeight / 2 };
  }

  function fit(frame) {
    const kept = sizes.get(frame.dataset.board);
    if (kept) draw(frame, kept.zoom);
    const at = kept || first(frame);
    if (at) frame.scrollTo(at.left, at.top);
    showLit(frame);
  }

  // Move the map so that all tappable cells are visible; if they need more room, the nearest of them.
  function showLit(frame) {
    const box = frame.getBoundingClientRect(), right = box.x + frame.clientWidth, bottom = box.y + frame.clientHeight;
    const marked = frame.querySelectorAll(".cell.chosen").length ? ".cell.chosen" : ".cell.lit";
    const cells = [...frame.querySelectorAll(`${marked} .ground`)].map((cell) => cell.getBoundingClientRect());
    if (!cells.length) return;
    const inSight = (at) => at.left >= box.left && at.right <= right && at.top >= box.top && at.bottom <= bottom;
    const all = { left: Math.min(...cells.map((at) => at.left)), right: Math.max(...cells.map((at) => at.right)), top: Math.min(...cells.map((at) => at.top)), bottom: Math.max(...cells.map((at) => at.bottom)) };
    const way = (at) => [(at.left + at.right - box.x - right) / 2, (at.top + at.bottom - box.y - bottom) / 2];
    if (all.right - all.left <= frame.clientWidth && all.bottom - all.top <= frame.clientHeight) {
      if (!inSight(all)) frame.scrollBy(...way(all));
    } else if (!cells.some(inSight)) {
      frame.scrollBy(...cells.map(way).reduce((least, found) => (Math.hypot(...found) < Math.hypot(...least) ? found : least)));
    }
  }
  const fitAll = (root) => root.querySelectorAll(".board-scroll").forEach(fit);

  document.addEventListener("click", (event) => {
    const button = event.target.closest?.("[data-board-zoom]");
    const frame = button?.closest(".board-frame").querySelector(".board-scroll");
    if (!frame) return;
    const map = frame.querySelector(".board-map"), drawn = pixelsPerMillimetre(map) * map.viewBox.baseVal.width;
    const way = Number(button.dataset.boardZoom), width = (zoom) => zoom * natural(frame);
    const steps = [1, 1.5, 2.2, 3.2], smaller = steps.filter((zoom) => width(zoom) < drawn / 1.2 && width(zoom) > frame.clientWidth);
    const larger = steps.find((zoom) => width(zoom) > drawn * 1.2) || steps.at(-1);
    const zoom = way > 0 ? larger : (way < 0 && smaller.at(-1)) || WHOLE;
    const middle = [(frame.scrollLeft + frame.clientWidth / 2) / frame.scrollWidth, (frame.scrollTop + frame.clientHeight / 2) / frame.scrollHeight];
    draw(frame, zoom);
    frame.scrollTo(middle[0] * frame.scrollWidth - frame.clientWidth / 2, middle[1] * frame.scrollHeight - frame.clientHeight / 2);
    sizes.set(frame.dataset.board, { zoom, left: frame.scrollLeft, top: frame.scrollTop });
  });
  document.addEventListener("scroll", (event) => {
    const kept = event.target instanceof Element ? sizes.get(event.target.dataset.board) : null;
    if (kept) Object.assign(kept, { left: event.target.scrollLeft, top: event.target.scrollTop });
  }, true);

  // --- a new piece moves down to its place --------------------------------------------------------------

  const calm = window.matchMedia("(prefers-reduced-motion: reduce)"), HIGH = -14, FALL = 450, MANY = 3; // units of the map, milliseconds, pieces
  const place = (piece) => `${piece.getAttribute("class")} ${piece.getAttribute("transform")}`;
  const lying = (root) => [...root.querySelectorAll('.board-map [data-part="pieces"] > g')];
  let known = new Set(lying(document).map(place));
  function land(root) {
    const pieces = lying(root), come = pieces.filter((piece) => !known.has(place(piece)));
    if (pieces.length) known = new Set(pieces.map(place));
    if (calm.matches || come.length > MANY) return; // many new pieces mean another match or a correction
    for (const piece of come) piece.animate([{ translate: `0 ${HIGH}px`, opacity: 0 }, { translate: "0 0", opacity: 1 }], { duration: FALL, easing: "cubic-bezier(.3, 1.3, .6, 1)" });
  }

  // A question that a new drawing has taken away reports no toggle; its cell's name goes with it.
  function forget(region) {
    const said = region.querySelector(".chosen-name");
    if (said && !region.querySelector(".cell-question:popover-open")) said.textContent = "";
  }

  document.addEventListener("region:changed", (event) => { forget(event.target); fitAll(event.target); land(event.target); });
  window.addEventListener("resize", () => fitAll(document));
  fitAll(document);
})();
