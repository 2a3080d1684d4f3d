// Runs the tests of what the page computes without a browser: `node test.mjs`.
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { spawnSync } from "node:child_process";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const folder = mkdtempSync(join(here, "node_modules/.tests-"));
const files = readdirSync(join(here, "tests")).filter((name) => name.endsWith(".test.ts"));
await build({
  absWorkingDir: here,
  entryPoints: files.map((name) => `tests/${name}`),
  outdir: folder,
  bundle: true,
  format: "esm",
  platform: "node",
  outExtension: { ".js": ".mjs" },
  jsx: "automatic",
  jsxImportSource: "preact",
  logLevel: "warning",
});
const result = spawnSync(process.execPath, ["--test", ...files.map((name) => join(folder, name.replace(/\.ts$/, ".mjs")))], { stdio: "inherit" });
rmSync(folder, { recursive: true });
process.exit(result.status ?? 1);
