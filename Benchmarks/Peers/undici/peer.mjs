// A peer of the benchmarks: undici, as the `fetch` of Node. The protocol is described in ../README.md.

import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";

const sample = {
  id: 583231, login: "octocat", name: "The Octocat", isAdmin: false, score: 97.5, tags: ["swift", "http", "linux"],
};
const expected = JSON.stringify(sample);
const headers = { accept: "application/json", "x-client": "benchmarks/1.0" };

const { values: options } = parseArgs({
  options: { connections: { type: "string", default: "1" }, ca: { type: "string" } },
});

// Node has no module for the settings of its fetch; the class of its global dispatcher is undici's Agent.
const dispatcherKey = Symbol.for("undici.globalDispatcher.1");
await fetch("data:,");
const Agent = globalThis[dispatcherKey].constructor;
const ca = options.ca ? readFileSync(options.ca) : undefined;
globalThis[dispatcherKey] = new Agent({ connections: Number(options.connections), connect: { ca } });

async function check(response) {
  const user = await response.json();
  if (response.status !== 200 || JSON.stringify(user) !== expected) throw new Error("the response is wrong");
}

const get = async (base) => check(await fetch(base + "/user", { headers }));

const post = async (base) =>
  check(
    await fetch(base + "/echo", {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify(sample),
    }),
  );

function processorTime() {
  const usage = process.cpuUsage();
  return (usage.user + usage.system) / 1e6;
}

async function perform([command, workload, base, concurrency, milliseconds]) {
  if (command !== "run") throw new Error("unknown command");
  const step = workload === "post" ? post : get;
  const before = processorTime();
  const start = performance.now();
  const end = start + Number(milliseconds);
  let count = 0;
  const loop = async () => {
    while (performance.now() < end) {
      await step(base);
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: Number(concurrency) }, loop));
  const seconds = (performance.now() - start) / 1000;
  return `${count} ${seconds.toFixed(6)} ${(processorTime() - before).toFixed(6)}`;
}

for await (const line of createInterface({ input: process.stdin })) {
  try {
    console.log("ok", await perform(line.split(" ")));
  } catch (error) {
    console.log("error", String(error?.cause ?? error).replaceAll("\n", " "));
  }
}
process.exit(0);
