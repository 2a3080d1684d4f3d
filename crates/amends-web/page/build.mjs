// Builds the page into the folder that the server embeds: `node build.mjs [FOLDER]`.
import { copyFileSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const output = process.argv[2] ?? join(here, "../assets");
mkdirSync(output, { recursive: true });
const options = { absWorkingDir: here, bundle: true, minify: true, charset: "utf8", legalComments: "none", logLevel: "warning" };
await build({
  ...options,
  entryPoints: ["src/main.tsx"],
  outfile: join(output, "app.js"),
  format: "esm",
  target: "es2022",
  jsx: "automatic",
  jsxImportSource: "preact",
});
await build({ ...options, entryPoints: ["src/style/app.css"], outfile: join(output, "app.css"), target: ["chrome111", "firefox115", "safari16.4"] });
for (const file of ["index.html", "icon.svg"]) copyFileSync(join(here, "src", file), join(output, file));
