// Mismatches on the table, shown on a part of the camera's picture: the place, and the wrong card in it.
"use strict";
(() => {
  if (!("live" in document.body.dataset) || document.querySelector("[data-camera]")) return;
  const csrf = document.querySelector('meta[name="csrf"]')?.content || "";
  const SVG = "http://www.w3.org/2000/svg", MARGIN = 0.02, AGAIN = 1500;
  let timer = null;

  function part(kind, set) {
    const made = document.createElementNS(SVG, kind);
    for (const [name, value] of Object.entries(set)) made.setAttribute(name, value);
    return made;
  }
  function draw(crop, seen, image) {
    const { naturalWidth: wide, naturalHeight: high } = image;
    const here = seen.cards.filter((card) => card.place === crop.dataset.mismatch && card.outline.length === 4);
    const edge = [...(seen.places[crop.dataset.mismatch] || []), ...here.flatMap((card) => card.outline)];
    if (!edge.length) return;
    const xs = edge.map(([x]) => x), ys = edge.map(([, y]) => y);
    const left = Math.max(0, Math.min(...xs) - MARGIN), top = Math.max(0, Math.min(...ys) - MARGIN);
    const right = Math.min(1, Math.max(...xs) + MARGIN), bottom = Math.min(1, Math.max(...ys) + MARGIN);
    crop.setAttribute("viewBox", `${left * wide} ${top * high} ${(right - left) * wide} ${(bottom - top) * high}`);
    const wrong = crop.dataset.mismatchCards.split(" ");
    crop.replaceChildren(part("image", { href: image.src, width: wide, height: high }), ...here.map((card) => part("polygon", {
      points: card.outline.map(([x, y]) => `${x * wide},${y * high}`).join(" "),
      class: !card.card || wrong.includes(card.card) ? "wrong" : "",
    })));
    crop.removeAttribute("hidden");
  }
  async function look() {
    clearTimeout(timer);
    const crops = [...document.querySelectorAll("[data-mismatch]")];
    if (!crops.length || document.querySelector("#region-sight .lost") || document.visibilityState !== "visible") return;
    try {
      await fetch("camera/watch", { method: "POST", body: new URLSearchParams(), headers: { "X-CSRF": csrf, "HX-Request": "true" } });
      const answer = await fetch("camera/live.json", { cache: "no-store" });
      const seen = answer.ok ? await answer.json() : {};
      if (seen.at) {
        const image = new Image();
        image.onload = () => crops.filter((crop) => crop.isConnected).forEach((crop) => draw(crop, seen, image));
        image.src = `camera/live.jpg?${seen.at}`;
      }
    } catch { /* the words say it without a picture */ }
    timer = setTimeout(look, AGAIN);
  }
  document.addEventListener("region:changed", (event) => { if (event.detail.name === "sight") look(); });
  document.addEventListener("visibilitychange", look);
  look();
})();
