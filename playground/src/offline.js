// The service worker: keeps all files of one build, so that the page works without a network.
/* global FILES, VERSION */
const kept = `playground-${VERSION}`;

self.addEventListener("install", (event) => event.waitUntil(keep()));

async function keep() {
  const cache = await caches.open(kept);
  await cache.addAll(FILES);
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
