// The service worker: keeps all files of one build, so that the page works without a network.
/* global FILES, VERSION */
const kept = `playground-${VERSION}`;

self.addEventListener("install", (event) => event.waitUntil(keep()));

async function keep() {
  const cache = await caches.open(kept);
  // asks the server whether a file has changed since the page loaded it, and takes it once
  await cache.addAll(FILES.map((name) => new Request(name, { cache: "no-cache" })));
  await self.skipWaiting();
}

self.addEventListener("activate", (event) => event.waitUntil(forgetOthers()));

async function forgetOthers() {
  const names = await caches.keys();
  const others = names.filter((name) => name.startsWith("playground-") && name !== kept);
  await Promise.all(others.map((name) => caches.delete(name)));
  await self.clients.claim();
}

self.addEventListener("fetch", (event) => {
  if (event.request.method === "GET") event.respondWith(answer(event.request));
});

async function answer(request) {
  const cache = await caches.open(kept);
  return (await cache.match(request, { ignoreSearch: true })) ?? fetch(request);
}
