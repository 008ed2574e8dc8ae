// Over HTTPS: caches sheets, scripts, fonts and pictures with a hash in their address, and one page that says that the
// table cannot be reached. Never caches a page of the table, and never touches a stream.
"use strict";
const KEPT = "kept", SPARE = "spare", OFFLINE = "/offline", MOST = 60;
const hashed = (url) => url.pathname.startsWith("/static/") && (/\.[0-9a-f]{16}\.(css|js)$/.test(url.pathname) || /^\?[0-9a-f]{10}$/.test(url.search));

self.addEventListener("install", (event) => {
  self.skipWaiting();
  event.waitUntil(keepOffline());
});
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => {
  const { request } = event, url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin) return;
  if (request.mode === "navigate") event.respondWith(fetch(request).catch(async () => await caches.match(OFFLINE) || Response.error()));
  else if (hashed(url)) event.respondWith(kept(request));
});

// The page with its sheet and script, and the fonts and pictures that the sheet names; these are never evicted.
async function keepOffline() {
  const cache = await caches.open(SPARE), page = await fetch(OFFLINE, { cache: "reload" });
  await cache.put(OFFLINE, page.clone());
  const named = (text) => [...text.matchAll(/(?:href|src)="(\/static\/[^"#]+)|url\("(\/static\/[^"#]+)/g)].map((found) => found[1] || found[2]);
  for (const link of named(await page.text())) {
    const file = await fetch(link);
    await cache.put(link, file.clone());
    if (link.endsWith(".css")) await cache.addAll(named(await file.text()));
  }
}

async function kept(request) {
  const found = await caches.match(request);
  if (found) return found;
  const answer = await fetch(request);
  if (answer.ok && (answer.headers.get("Cache-Control") || "").includes("immutable")) {
    const cache = await caches.open(KEPT);
    await cache.put(request, answer.clone());
    const old = await cache.keys();
    for (const each of old.slice(0, Math.max(0, old.length - MOST))) await cache.delete(each);
  }
  return answer;
}
