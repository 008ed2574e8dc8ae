// The source of a page's messages: one connection for all pages of this browser in a shared worker; in a browser
// without shared workers, a connection of its own, which pauses while the page is hidden.
"use strict";
(() => {
  const body = document.body;
  window.companion = window.companion || {};
  const REST = 5000, PATIENCE = 5000, FIRST = 1000, LONGEST = 8000;
  const at = new URL(".", location.href).pathname;

  // `hooks`: heard, take (a message), lost, full (a sentence), ended; `awake` says whether a hidden page must keep its
  // connection.
  window.companion.connection = (hooks) => {
    let worker = null, joined = false, refused = false, stop = null, timer = null, hiding = null, wait = FIRST, plain = "";

    // --- shared -----------------------------------------------------------------------------------

    const script = body.dataset.streams;
    if (script && "SharedWorker" in window) {
      try {
        worker = new SharedWorker(script, { name: "stream" });
        worker.onerror = alone;
        worker.port.onmessage = ({ data }) => {
          joined = true;
          if (data.lost && !refused) hooks.lost();
          if (data.block) take(data.block);
          if (data.heard) { if (!refused) hooks.heard(); worker?.port.postMessage({ here: true }); }
        };
        window.addEventListener("pagehide", () => worker?.port.postMessage({ leave: true }));
      } catch { worker = null; }
    }
    // A worker that does not answer is useless: from now on this page has its own connection.
    function alone() { if (worker) { worker.port.close(); worker = null; open(); } }

    function open() {
      if (!worker) { own(); return; }
      joined = refused = false;
      worker.port.postMessage({ at, lang: document.documentElement.lang, match: body.dataset.match, shown: body.dataset.shown });
      setTimeout(() => { if (!joined) alone(); }, PATIENCE);
    }

    // --- the page's own ---------------------------------------------------------------------------

    function again(delay) {
      clearTimeout(timer);
      timer = setTimeout(own, delay);
    }
    function lost() {
      hooks.lost();
      again(wait);
      wait = Math.min(wait * 1.6, LONGEST);
    }
    async function own() {
      clearTimeout(timer);
      stop?.abort();
      const mine = stop = new AbortController();
      let begun = false;
      const query = new URLSearchParams({ page: body.dataset.page, last: body.dataset.shown, match: body.dataset.match, lang: document.documentElement.lang, plain });
      // If a browser buffers compressed streams, request an uncompressed one.
      const first = setTimeout(() => { if (!begun && mine === stop) { plain = "1"; mine.abort(); lost(); } }, PATIENCE);
      try {
        const answer = await fetch("stream?" + query, { signal: mine.signal, cache: "no-store", headers: { Accept: "text/event-stream" } });
        if (answer.status === 503) {
          const box = document.createElement("div");
          box.innerHTML = await answer.text();
          hooks.full(box.textContent.trim());
          again(1000 * Number(answer.headers.get("Retry-After") || 15));
          return;
        }
        if (answer.status === 404) { hooks.ended(); return; }
        if (answer.status === 205) { anew(); return; }
        if (!answer.ok) throw new Error(String(answer.status));
        const reader = answer.body.getReader(), decoder = new TextDecoder();
        let rest = "";
        for (;;) {
          const { done, value } = await reader.read();
          if (done) throw new Error("ended");
          if (mine !== stop) return;
          begun = true;
          wait = FIRST;
          rest += decoder.decode(value, { stream: true });
          const blocks = rest.split("\n\n");
          rest = blocks.pop();
          blocks.forEach(take);
          hooks.heard();
        }
      } catch {
        if (mine === stop && !mine.signal.aborted) lost();
      } finally { clearTimeout(first); }
    }

    // A rematch, or a renamed player.
    function anew() {
      window.companion.leave();
      location.replace(location.pathname);
    }

    // The shared connection goes on for the other pages if it has no place for this one.
    function take(block) {
      const kind = /^event: (full|gone|anew)$/m.exec(block)?.[1];
      if (!kind) { hooks.take(block); return; }
      const said = JSON.parse(/^data: (.*)$/m.exec(block)[1]);
      refused = true;
      if (kind === "anew") { anew(); return; }
      if (kind === "gone") { hooks.ended(); return; }
      hooks.full(said.sentence);
      clearTimeout(timer);
      timer = setTimeout(open, 1000 * said.again);
    }

    document.addEventListener("visibilitychange", () => {
      clearTimeout(hiding);
      if (document.visibilityState === "hidden" && !worker) hiding = setTimeout(() => { if (!hooks.awake()) rest(); }, REST);
    });
    function rest() {
      clearTimeout(timer);
      stop?.abort();
      stop = null;
      body.dataset.resting = "";
    }
    return { open };
  };
})();
