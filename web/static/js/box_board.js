// The box's own board on the camera's page: four taps on its corner cells, then cells moved by finger, mouse or key.
// The camera's service returns the cells' positions; until its answer comes, only the dragged cells move.
"use strict";
// `camera.js` calls this with its picture's frame and shared functions: see its end.
window.companionBoxBoard = ({ frame, make, send, toast, spot, clamp, way, changed }) => {
  const panel = document.querySelector("[data-box]");
  if (!panel) return { busy: () => false };
  const find = (name) => document.querySelector(`[data-box-${name}]`);
  const START = [[0.15, 0.15], [0.85, 0.15], [0.85, 0.85], [0.15, 0.85]];
  const WIDE = 1000, REACH = 24, STILL = 4, SOON = 200; // REACH of a finger and STILL, the longest way of a tap, in pixels; SOON in milliseconds
  const layer = find("layer"), svg = find("cells"), handles = find("handles"), which = find("which"), list = find("cell");
  const sentences = JSON.parse(panel.dataset.taps), sketches = [...document.querySelectorAll("[data-box-sketch]")];
  let tapped = null; // corners and moved cells, as the server takes them; fewer than four corners while somebody taps them
  let across = 0; // millimetres; apart from `tapped`, which an answer on its way sets back to what was asked
  let cells = {}, accepted = null, kept = false, selected = "", mark = START[0];
  let held = null, asked = 0, unanswered = false, soon = 0;

  const sketch = () => sketches.find((each) => each.dataset.boxSketch === which.value);
  const corners = () => [...sketch().querySelectorAll("[data-corner]")].map((each) => each.dataset.corner);
  const whole = () => tapped.corners.length === START.length;
  const shift = (point, by) => [0, 1].map((axis) => clamp(point[axis] + by[axis]));
  const middle = (name) => tapped.moved[name]
    || [0, 1].map((axis) => cells[name].reduce((sum, point) => sum + point[axis], 0) / cells[name].length);

  // --- drawing --------------------------------------------------------------------------------------

  const polygon = (name) => svg.querySelector(`[data-cell="${CSS.escape(name)}"]`);
  function drawCell(name) {
    polygon(name).setAttribute("points", cells[name].map((point) => point.map((part) => (part * WIDE).toFixed(2)).join(",")).join(" "));
    polygon(name).classList.toggle("moved", name in tapped.moved);
  }
  function drawCells() {
    const names = Object.keys(cells);
    if (names.join() !== [...svg.children].map((each) => each.dataset.cell).join()) {
      svg.replaceChildren(...names.map((name) => {
        const made = document.createElementNS("http://www.w3.org/2000/svg", "polygon");
        made.dataset.cell = name;
        made.setAttribute("role", "button");
        made.setAttribute("aria-label", name);
        return made;
      }));
      list.replaceChildren(new Option(list.dataset.none, ""), ...names.map((name) => new Option(name, name)));
    }
    names.forEach(drawCell);
    if (!(selected in cells)) selected = "";
    for (const each of svg.children) {
      each.setAttribute("tabindex", each.dataset.cell === (selected || names[0]) ? 0 : -1);
      each.classList.toggle("selected", each.dataset.cell === selected);
    }
    list.value = selected;
    find("back").disabled = !(selected in tapped.moved);
    find("moving").hidden = !names.length;
  }
  function drawCorners() {
    const next = tapped.corners.length, names = corners();
    [...handles.children].forEach((handle, number) => {
      const [x, y] = tapped.corners[number] || mark;
      handle.style.left = `${100 * x}%`;
      handle.style.top = `${100 * y}%`;
      handle.hidden = number > next;
      handle.classList.toggle("next", number === next);
      handle.setAttribute("aria-label", panel.dataset.cornerName.replace("{number}", number + 1).replace("{cell}", names[number]));
    });
    for (const each of sketches) each.classList.toggle("shown", each === sketch());
    [...sketch().querySelectorAll("[data-corner]")].forEach((corner, number) => {
      corner.classList.toggle("next", number === next);
      corner.classList.toggle("done", number < next);
    });
    const said = sentences[next] || (tapped.kept ? panel.dataset.kept : panel.dataset.fit);
    if (find("step").textContent !== said) find("step").textContent = said;
    panel.classList.toggle("fitting", whole());
    find("save").disabled = !whole();
    find("forget").hidden = !kept;
  }
  function draw() { drawCorners(); drawCells(); }

  // --- requests -------------------------------------------------------------------------------------

  const round = (point) => point.map((part) => Math.round(part * 1e5) / 1e5);
  function taps() {
    const moved = Object.fromEntries(Object.entries(tapped.moved).map(([name, point]) => [name, round(point)]));
    return JSON.stringify({ board: which.value, corners: tapped.corners.map(round), across, moved });
  }
  async function outline() {
    clearTimeout(soon);
    unanswered = true;
    const mine = ++asked, sent = structuredClone(tapped);
    const answer = await send("camera/board/outline", { board: taps() }).catch(() => null);
    if (mine !== asked || !tapped) return; // the board has changed since, and another request follows
    unanswered = false;
    if (answer?.good) {
      accepted = { tapped: sent, cells: JSON.parse(answer.text).cells };
    } else if (answer) toast(answer.text, false);
    if (accepted) ({ tapped, cells } = structuredClone(accepted)); // a refused change is undone
    draw();
  }
  function outlineSoon() {
    asked += 1;
    unanswered = true;
    clearTimeout(soon);
    soon = setTimeout(outline, SOON);
  }

  // --- opening and closing ----------------------------------------------------------------------------

  function begin(found) {
    const known = found?.tapped && sketches.some((each) => each.dataset.boxSketch === found.tapped.board);
    if (known) which.value = found.tapped.board;
    tapped = known ? { moved: {}, ...found.tapped, kept: true } : { moved: {}, corners: [] };
    across = tapped.across || 0;
    cells = known ? found.cells : {};
    accepted = known ? structuredClone({ tapped, cells }) : null;
    find("across").value = across ? Math.round(across) / 10 : "";
    selected = "";
    mark = START[0];
    held = null;
    unanswered = false;
    asked += 1;
    clearTimeout(soon);
    draw();
  }
  function show(shown) {
    layer.hidden = panel.hidden = !shown;
    changed();
  }
  async function open() {
    const answer = await send("camera/board/outline", { board: "" }).catch(() => null);
    if (!answer?.good) { toast(answer?.text, false); return; }
    const found = JSON.parse(answer.text);
    kept = Boolean(found.tapped);
    begin(found);
    show(true);
    const board = panel.parentElement; // the picture and the panel, below or beside each other
    if (board.getBoundingClientRect().top < 0 || innerHeight < frame.getBoundingClientRect().bottom) board.scrollIntoView();
    handles.children[0].focus({ preventScroll: true });
  }
  function close() {
    tapped = accepted = held = null;
    asked += 1;
    clearTimeout(soon);
    show(false);
    find("open").focus();
  }
  async function keep(board) {
    const answer = await send("camera/board", { board }).catch(() => null);
    toast(answer?.text, answer?.good);
    return answer?.good;
  }
  handles.replaceChildren(...START.map((_, number) => {
    const handle = make("button", "box-corner", number + 1);
    handle.type = "button";
    handle.dataset.number = number;
    return handle;
  }));
  find("open").addEventListener("click", open);
  find("stop").addEventListener("click", close);
  find("again").addEventListener("click", () => { begin(); handles.children[0].focus({ preventScroll: true }); });
  which.addEventListener("change", () => begin());
  find("save").addEventListener("click", async () => {
    if (find("across").reportValidity() && await keep(taps())) close();
  });
  find("forget").addEventListener("click", async () => {
    if (!await keep("")) return;
    kept = false;
    begin();
  });

  // --- corners and cells ------------------------------------------------------------------------------

  function select(name) {
    selected = name;
    drawCells();
    if (name) polygon(name).focus({ preventScroll: true });
  }
  // The grip of a finger or a key: a corner by its number, or a cell by its name, from its present position.
  function grip(corner, cell) {
    const name = cell || (whole() ? corners()[corner] : "");
    return { corner, cell, name, from: cell ? middle(cell) : tapped.corners[corner], outline: cells[name] };
  }
  function move({ corner, cell, name, from, outline }, by) {
    const to = shift(from, by);
    if (cell) tapped.moved[cell] = to; else tapped.corners[corner] = to;
    delete tapped.kept;
    if (outline) {
      cells[name] = outline.map((point) => [0, 1].map((axis) => point[axis] + to[axis] - from[axis]));
      drawCell(name);
    }
    drawCorners();
  }
  function place(point) {
    tapped.corners.push(point);
    mark = START[tapped.corners.length] || mark;
    draw();
  }
  function touched(event) {
    const cell = event.target.closest?.("[data-cell]")?.dataset.cell;
    const corner = cell ? corners().indexOf(cell) : tapped.corners.findIndex(([x, y]) => {
      const box = frame.getBoundingClientRect();
      return Math.hypot(event.clientX - box.left - x * box.width, event.clientY - box.top - y * box.height) < REACH;
    });
    if (corner >= 0) return grip(corner);
    return cell ? grip(-1, cell) : null;
  }
  frame.addEventListener("pointerdown", (event) => {
    if (!tapped || !event.isPrimary) return;
    event.preventDefault();
    const before = structuredClone({ tapped, cells });
    let found = touched(event);
    if (!found && !whole()) {
      place(spot(event));
      found = { ...grip(tapped.corners.length - 1), dragged: true };
    }
    if (!found) { select(""); return; }
    asked += 1; // ignore a pending answer, which would move the cell under the finger
    held = { ...found, before, start: spot(event), at: [event.clientX, event.clientY] };
    if (held.cell) select(held.cell); else handles.children[held.corner].focus({ preventScroll: true });
    frame.setPointerCapture(event.pointerId);
  });
  frame.addEventListener("pointermove", (event) => {
    if (!tapped || !held || !event.isPrimary) return;
    held.dragged ||= Math.hypot(event.clientX - held.at[0], event.clientY - held.at[1]) > STILL;
    if (held.dragged) move(held, spot(event).map((part, axis) => part - held.start[axis]));
  });
  frame.addEventListener("pointerup", (event) => {
    if (!tapped || !held || !event.isPrimary) return;
    const { dragged } = held;
    held = null;
    if (whole() && (dragged || unanswered)) outline();
    else draw();
  });
  frame.addEventListener("pointercancel", (event) => { // the browser zooms with two fingers
    if (!tapped || !held || !event.isPrimary) return;
    ({ tapped, cells } = held.before);
    held = null;
    if (unanswered) outline(); else draw();
  });
  layer.addEventListener("keydown", (event) => {
    if (event.key === "Escape") { close(); return; }
    const by = way(event), { number } = event.target.dataset, { cell } = event.target.dataset;
    if (!by || held) return;
    event.preventDefault();
    if (+number === tapped.corners.length) { mark = shift(mark, by); drawCorners(); return; }
    const corner = cell ? corners().indexOf(cell) : +number;
    move(corner >= 0 ? grip(corner) : grip(-1, cell), by);
    if (whole()) outlineSoon();
  });
  handles.addEventListener("click", (event) => { // by key alone: the picture handles pointers
    const number = +event.target.dataset.number;
    if (number !== tapped.corners.length) return;
    place(mark);
    if (whole()) outline(); else handles.children[number + 1].focus({ preventScroll: true });
  });
  svg.addEventListener("focusin", (event) => {
    const { cell } = event.target.dataset;
    if (cell && cell !== selected) { selected = cell; drawCells(); }
  });
  find("across").addEventListener("input", (event) => {
    across = event.target.validity.valid ? 10 * Number(event.target.value) : 0;
  });
  list.addEventListener("change", () => select(list.value));
  find("back").addEventListener("click", () => {
    delete tapped.moved[selected];
    outline();
  });

  return { busy: () => tapped !== null };
};
