import { parentPort, workerData } from 'node:worker_threads';
import { collectGarbage } from '../../src/testing/collect-garbage.js';

/** JSON texts of each shape. */
export type TextsOfShapes = Readonly<Record<string, readonly string[]>>;

/** The memory that a text of each shape takes once it is decoded, in bytes. */
export type MemoryOfShapes = Readonly<Record<string, number>>;

/** A thread with little else on its heap measures it, because a collection there leaves nothing behind. */
function measure(texts: readonly string[]): number {
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  const decoded = texts.map((text) => JSON.parse(text) as unknown);
  collectGarbage();
  return (process.memoryUsage().heapUsed - before) / decoded.length;
}

const shapes = Object.entries(workerData as TextsOfShapes);
// The first measurement includes what the process creates once.
measure(shapes[0]?.[1] ?? []);
parentPort?.postMessage(Object.fromEntries(shapes.map(([name, texts]) => [name, measure(texts)])));
