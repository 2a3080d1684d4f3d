import { defineConfig } from "@playwright/test";

/** What a headless Chromium needs in a container, and what keeps it from asking other machines for anything. */
const QUIET = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export default defineConfig({
  testDir: ".",
  testMatch: process.env.AMENDS_PICTURES ? "screenshots.ts" : "*.spec.ts",
  // One at a time: each page solves on the same two cores.
  workers: 1,
  retries: 0,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  forbidOnly: true,
  outputDir: process.env.AMENDS_BROWSER_RESULTS ?? "test-results",
  reporter: [["list"]],
  use: {
    browserName: "chromium",
    locale: "en-US",
    viewport: { width: 1280, height: 900 },
    trace: "off",
    launchOptions: { executablePath: process.env.AMENDS_BROWSER, args: QUIET },
  },
});
