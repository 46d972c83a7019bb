import { parentPort, workerData } from "node:worker_threads";
import { fuzz, INVARIANTS } from "./invariants.js";

/** Scenes between two signs of life. */
const ROUND = 40;

/** What a thread says: that a round begins, what came of it. */
export type FuzzMessage =
  | { kind: "begins"; name: string; seed: number }
  | { kind: "holds"; runs: number }
  | { kind: "fails"; name: string; seed: number; report: string };

const { seed: first, step } = workerData as { seed: number; step: number };
const names = Object.keys(INVARIANTS);
const say = (message: FuzzMessage) => parentPort?.postMessage(message);

// The parent ends it.
for (let seed = first; ; seed = (seed + step) & 0x7fffffff) {
  for (const name of names) {
    say({ kind: "begins", name, seed });
    try {
      await fuzz(name, seed, ROUND);
      say({ kind: "holds", runs: ROUND });
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? `\n${error.cause.stack}` : "";
      say({ kind: "fails", name, seed, report: `${error instanceof Error ? error.message : error}${cause}` });
    }
  }
}
