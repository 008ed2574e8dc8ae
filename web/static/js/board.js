// A board: a tap on a lit cell presses its button, arrow keys go from cell to cell, and the map keeps its place and size.
"use strict";
(() => {
  const sizes = new Map(); // of a board by its name: zoom and place, which survive a new drawing

  const frameOf = (node) => node?.closest?.(".board-scroll");
  const buttonOf = (cell) => {
    const scope = cell.closest("[data-region], form") || document;
    return scope.querySelector(`[data-choose="${CSS.escape(cell.dataset.cell)}"]`);
  };

  function choose(cell) {
    const select = cell.closest("form")?.querySelector("select[data-cells]");
    if (select) {
      if ([...select.options].some((option) => option.value === cell.dataset.cell)) {
        select.value = cell.dataset.cell;
        select.dispatchEvent(new Event("change", { bubbles: true }));
      }
      return;
    }
    buttonOf(cell)?.click();
  }

  // --- by touch and by keys -----------------------------------------------------------------------

  document.addEventListener("click", (event) => {
    const cell = event.target.closest?.(".board-map .cell.lit");
    if (cell) choose(cell);
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
      if (far < least - 1) { least = far; best = other; } // of two that are equally far, the first: figures are rounded
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

  function fit(frame) {
    const map = frame.querySelector(".board-map"), kept = sizes.get(frame.dataset.board) || { zoom: 1, left: null, top: 0 };
    const natural = Math.max(frame.clientWidth, Number(map.dataset.pixels));
    map.setAttribute("width", String(Math.max(frame.clientWidth, Math.round(natural * kept.zoom))));
    map.classList.toggle("zoomed", kept.zoom > 1);
    frame.scrollTo(kept.left === null ? (frame.scrollWidth - frame.clientWidth) / 2 : kept.left, kept.top);
    showLit(frame);
  }

  // The map moves so that all cells that can be tapped are in sight; where they need more room, to the nearest of them.
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
    const kept = sizes.get(frame.dataset.board) || { zoom: 1, left: null, top: 0 };
    const steps = [0.01, 1, 1.5, 2.2, 3.2], at = steps.indexOf(kept.zoom) + Number(button.dataset.boardZoom);
    const zoom = steps[Math.min(steps.length - 1, Math.max(0, at))];
    const middle = [(frame.scrollLeft + frame.clientWidth / 2) / frame.scrollWidth, (frame.scrollTop + frame.clientHeight / 2) / frame.scrollHeight];
    sizes.set(frame.dataset.board, { zoom, left: 0, top: 0 });
    fit(frame);
    frame.scrollTo(middle[0] * frame.scrollWidth - frame.clientWidth / 2, middle[1] * frame.scrollHeight - frame.clientHeight / 2);
    sizes.set(frame.dataset.board, { zoom, left: frame.scrollLeft, top: frame.scrollTop });
  });
  document.addEventListener("scroll", (event) => {
    const frame = event.target instanceof Element ? frameOf(event.target) : null;
    if (frame && event.target === frame) sizes.set(frame.dataset.board, { zoom: 1, ...sizes.get(frame.dataset.board), left: frame.scrollLeft, top: frame.scrollTop });
  }, true);

  document.addEventListener("region:changed", (event) => fitAll(event.target));
  window.addEventListener("resize", () => fitAll(document));
  fitAll(document);
})();
