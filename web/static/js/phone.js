// A phone as the camera. Only this page shows the whole picture; people drag four corners around the table, and
// everything outside them is painted black before the picture is sent.
"use strict";
(() => {
  const root = document.querySelector("[data-phone]");
  if (!root) return;
  const find = (name) => root.querySelector(`[data-phone-${name}]`);
  const csrf = document.querySelector('meta[name="csrf"]')?.content || "";
  const LARGEST = 4608, QUALITY = 0.9; // pixels along the longer side, as of a Camera Module 3
  const canvas = find("picture"), said = find("said"), lines = find("drawn");
  const pen = canvas.getContext("2d");
  let corners = null;
  const dragged = window.companionCorners({
    frame: find("frame"), handles: find("handles"), names: JSON.parse(root.dataset.corners),
    moved(now) {
      corners = now;
      lines.setAttribute("points", now.map(([x, y]) => `${1000 * x},${1000 * y}`).join(" "));
    },
  });
  function say(text, good) {
    said.textContent = text;
    said.className = good ? "flash" : "flash bad";
    said.hidden = !text;
  }
  find("file").addEventListener("change", async (event) => {
    const file = event.target.files[0];
    event.target.value = ""; // allow the same file to be chosen again
    if (!file) return;
    let picture;
    try {
      picture = await createImageBitmap(file, { imageOrientation: "from-image" });
    } catch {
      say(root.dataset.unreadable, false);
      return;
    }
    const less = Math.min(1, LARGEST / Math.max(picture.width, picture.height));
    canvas.width = Math.round(picture.width * less);
    canvas.height = Math.round(picture.height * less);
    pen.drawImage(picture, 0, 0, canvas.width, canvas.height);
    picture.close();
    say("", true);
    root.dataset.has = "1";
    dragged.begin(corners || undefined); // on a phone in a stand, the table has not moved
  });
  function inside() { // returns the picture with everything outside the four corners black
    const sent = document.createElement("canvas");
    sent.width = canvas.width;
    sent.height = canvas.height;
    const brush = sent.getContext("2d");
    brush.fillRect(0, 0, sent.width, sent.height);
    brush.beginPath();
    for (const [x, y] of corners) brush.lineTo(x * sent.width, y * sent.height);
    brush.closePath();
    brush.clip();
    brush.drawImage(canvas, 0, 0);
    return new Promise((done) => sent.toBlob(done, "image/jpeg", QUALITY));
  }
  find("send").addEventListener("click", async (event) => {
    const button = event.currentTarget;
    button.disabled = true;
    say(root.dataset.sending, true);
    try {
      const form = new FormData();
      form.append("file", await inside(), "table.jpg");
      const answer = await fetch("phone", { method: "POST", body: form, headers: { "X-CSRF": csrf, "HX-Request": "true" } });
      const text = new DOMParser().parseFromString(await answer.text(), "text/html").body.textContent.trim();
      say(text, answer.ok);
      if (answer.ok) delete root.dataset.has;
    } catch {
      say(root.dataset.lost, false);
    }
    button.disabled = false;
  });
})();
