// Four corners over a picture, dragged by a finger or moved by arrow keys. After each change `moved` is called with all
// four, in fractions of the picture; after Escape, `stopped` is called.
"use strict";
window.companionCorners = ({ frame, handles, names, moved, stopped = () => {} }) => {
  const START = [[0.1, 0.1], [0.9, 0.1], [0.9, 0.9], [0.1, 0.9]], STEP = 0.004, LEAP = 0.03;
  const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  let corners = null, next = 0, held = null;
  const clamp = (value) => Math.max(0, Math.min(1, value));
  const way = (event) => WAYS[event.key]?.map((part) => part * (event.shiftKey ? LEAP : STEP)); // the step of an arrow key
  function spot(event) {
    const box = frame.getBoundingClientRect();
    return [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
  }
  function put(number, x, y) {
    corners[number] = [clamp(x), clamp(y)];
    const handle = handles.children[number];
    handle.style.left = `${100 * corners[number][0]}%`;
    handle.style.top = `${100 * corners[number][1]}%`;
    moved(corners);
  }
  function begin(from = START) {
    corners = from.map((corner) => [...corner]);
    next = 0;
    handles.replaceChildren(...names.map((name, number) => {
      const handle = document.createElement("button");
      handle.className = "handle";
      handle.textContent = number + 1;
      handle.type = "button";
      handle.setAttribute("aria-label", name);
      handle.dataset.handle = number;
      return handle;
    }));
    [...corners].forEach(([x, y], number) => put(number, x, y));
    handles.hidden = false;
    handles.children[0].focus({ preventScroll: true });
  }
  function end() {
    corners = null;
    handles.hidden = true;
  }
  frame.addEventListener("pointerdown", (event) => {
    if (!corners) return;
    event.preventDefault();
    const handle = event.target.closest("[data-handle]");
    held = handle ? +handle.dataset.handle : next;
    next = (held + 1) % names.length;
    if (!handle) put(held, ...spot(event));
    handles.children[held].focus({ preventScroll: true });
    frame.setPointerCapture(event.pointerId);
  });
  frame.addEventListener("pointermove", (event) => { if (corners && held !== null) put(held, ...spot(event)); });
  for (const kind of ["pointerup", "pointercancel"]) frame.addEventListener(kind, () => { held = null; });
  handles.addEventListener("keydown", (event) => {
    const by = way(event), handle = event.target.closest("[data-handle]");
    if (event.key === "Escape") { stopped(); return; }
    if (!by || !handle) return;
    event.preventDefault();
    const number = +handle.dataset.handle;
    put(number, corners[number][0] + by[0], corners[number][1] + by[1]);
  });
  return { begin, end, spot, clamp, way };
};
