// Screen reader announcements: events, questions and turns, each once. Regions are replaced as a whole, so
// announcements use one permanent element.
"use strict";
(() => {
  const body = document.body, place = document.querySelector("[data-announced]");
  // On a demonstration's stage, only the table's page speaks.
  if (!place || ("staged" in body.dataset && body.dataset.own !== undefined)) return;
  const { words } = JSON.parse(body.dataset.cues);
  const all = (query) => [...document.querySelectorAll(query)];
  const text = (node) => node.textContent.trim().replace(/\s+/g, " ");
  const parts = (node) => { const inner = [...node.querySelectorAll("h2, p, li")]; return (inner.length ? inner : [node]).map(text); };

  function look() {
    const sign = document.querySelector("#region-status .say");
    return {
      lines: all("#region-news [data-line]").map((node) => ({ number: +node.dataset.line, text: text(node) })),
      asked: all("[data-region] [data-news]").map((node) => ({ key: node.dataset.news || text(node), parts: parts(node) })),
      sign: sign ? text(sign) : "",
      mine: Boolean(sign?.closest(".mine")),
      stopped: Boolean(document.querySelector(".banner.stops")),
    };
  }
  const newest = (lines) => lines.at(-1) || { number: 0, text: "" };

  // After an undo the numbers restart, so a line with the last number may be a new one.
  function news(before, now) {
    const last = newest(before.lines), same = newest(now.lines).number === last.number;
    const happened = now.lines.filter((line) => line.number > last.number || (same && line.number === last.number && line.text !== last.text));
    const known = new Set(before.asked.map(({ key }) => key));
    const asked = now.asked.filter(({ key }) => !known.has(key));
    const turns = now.sign && !now.stopped && (now.sign !== before.sign || now.mine !== before.mine || before.stopped);
    const yours = turns && now.mine && !before.mine && body.dataset.own !== undefined ? [words.your_turn] : [];
    return [...happened.map((line) => line.text), ...asked.flatMap((each) => each.parts), ...yours, ...(turns ? [now.sign] : [])];
  }

  let shown = look(), planned = false;
  document.addEventListener("region:changed", () => {
    if (planned) return;
    planned = true;
    queueMicrotask(() => { // after all regions of the message have changed
      const now = look(), said = news(shown, now);
      planned = false;
      shown = now;
      if (said.length) place.replaceChildren(...said.map((each) => Object.assign(document.createElement("p"), { textContent: each })));
    });
  });
})();
