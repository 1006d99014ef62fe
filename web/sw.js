// Laid beside verify.html on a server: keeps the page for visits without a network. With one the page always comes from the server.
const kept = caches.open("page");
const page = registration.scope;
oninstall = (e) => e.waitUntil(kept.then((c) => c.add(page)));
onfetch = (e) => e.respondWith(fetch(e.request).then((r) => (r.ok ? kept.then((c) => c.put(page, r.clone())).then(() => r) : r), () => kept.then((c) => c.match(page))));
