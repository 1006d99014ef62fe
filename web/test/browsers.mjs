// The browsers of this machine. Chromium is driven by its own protocol, Firefox ESR as Debian packs it by WebDriver BiDi; both by
// playwright-core 1.60, the last series whose BiDi asks nothing that this Firefox lacks.

import { existsSync } from "node:fs";
import { chromium, firefox } from "playwright-core";

const first = (...paths) => paths.find((p) => p && existsSync(p)) ?? null;
const DARK = { "ui.systemUsesDarkTheme": 1, "layout.css.prefers-color-scheme.content-override": 0 };

export const BROWSERS = [
  {
    name: "Chromium",
    path: first(process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"),
    // In a container without user namespaces Chromium starts without its sandbox only; it opens nothing but files of this folder.
    launch: (path) => chromium.launch({ executablePath: path, args: ["--no-sandbox", "--disable-background-networking"] }),
  },
  {
    name: "Firefox",
    path: first(process.env.FIREFOX, "/usr/bin/firefox-esr", "/usr/bin/firefox"),
    launch: (path, dark) => firefox.launch({ executablePath: path, channel: "moz-firefox", firefoxUserPrefs: dark ? DARK : {} }),
  },
];
