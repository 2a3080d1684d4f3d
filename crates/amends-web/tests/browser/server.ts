// Servers for the tests: the program itself, on a free port of this machine.

import { spawn, type ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";
import { test as base } from "@playwright/test";

/** A server that listens. */
export interface Running {
  /** Where it is, with a slash at the end. */
  url: string;
  process: ChildProcess;
  /** What every request must know. */
  token?: string;
}

/** Starts `amends serve` with these arguments, and waits until it says where it is. */
export const serve = (...args: string[]): Promise<Running> => serveWithToken(undefined, ...args);

/** The same, for those who know the token only. */
export async function serveWithToken(token: string | undefined, ...args: string[]): Promise<Running> {
  const program = process.env.AMENDS;
  if (!program) throw new Error("AMENDS must name the program: run scripts/test-page.sh");
  const child = spawn(program, ["serve", ...(args.includes("--port") ? [] : ["--port", "0"]), ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, AMENDS_TOKEN: token },
  });
  let errors = "";
  child.stderr.on("data", (text) => (errors += text));
  const lines = createInterface({ input: child.stdout });
  const url = await new Promise<string>((found, failed) => {
    lines.on("line", (line) => {
      const address = /https?:\/\/\S+/.exec(line);
      if (address) found(address[0]);
    });
    child.on("exit", (code) => failed(new Error(`the server ended with ${code}: ${errors}`)));
  });
  return { url, process: child, token };
}

/** Ends a server. */
export async function stop(running: Running): Promise<void> {
  if (running.process.exitCode !== null) return;
  const ended = new Promise((done) => running.process.once("exit", done));
  running.process.kill("SIGINT");
  await ended;
}

/** Asks the server's API. */
export async function api(running: Running, path: string, body?: unknown): Promise<any> {
  const response = await fetch(`${running.url}api/v1/${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...(running.token ? { authorization: `Bearer ${running.token}` } : {}) },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  return response.json();
}

/** Tests with the usual server: the embedded German credit, as `amends serve` without arguments has it. */
export const test = base.extend<{}, { german: Running }>({
  german: [
    async ({}, use) => {
      const running = await serve();
      await use(running);
      await stop(running);
    },
    { scope: "worker" },
  ],
});

export { expect } from "@playwright/test";
