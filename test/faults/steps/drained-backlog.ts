import { readFileSync } from 'node:fs';
import { poll } from '#dev/processes/poll';
import { readUsage, type Usage } from '#dev/processes/proc-files';
import type { Step } from '../fault.js';
import { limitProcess } from '../world/limit-process.js';
import { overdue } from '../world/overdue.js';
import type { World } from '../world/world.js';
import { atLeast } from './frequent.js';

const MIN_OVERDUE = 300;

export const ENDPOINTS = 100;
export const EVENTS = 2_000;
const MAX_BURSTS = 10;
const LIMITS = { memoryBytes: 512 * 1024 * 1024, cores: 0.5 };
/** A process is stopped only some time after it exceeded its share. */
const LIMIT_TOLERANCE = 1.25;
const LOG_EVERY_MS = 30_000;

export const expectOverdueRetries: Step = async ({ db, log }) => {
  const retries = await db.collection('deliveries').countDocuments({ ...overdue(0), attempts: { $gte: 1 } });
  log(`${retries} retries are overdue`);
  atLeast(MIN_OVERDUE, retries, 'retries are overdue');
};

/** Returns the Node options of the image, which determine how much memory a process uses. */
function nodeArgsOfImage(): readonly string[] {
  const dockerfile = readFileSync(new URL('../../../../Dockerfile', import.meta.url), 'utf8');
  const options = /^ENV NODE_OPTIONS="([^"]+)"$/m.exec(dockerfile)?.[1];
  if (options === undefined) throw new Error('the Dockerfile does not set NODE_OPTIONS any more');
  return options.split(' ');
}

export const acceptEvents: Step = async ({ load, log }) => {
  const least = load.accepted.length + EVENTS;
  for (let bursts = 0; bursts < MAX_BURSTS && load.accepted.length < least; bursts += 1)
    await load.burst(least - load.accepted.length);
  atLeast(least, load.accepted.length, 'events were accepted');
  log(`${load.accepted.length} events were accepted`);
};

function untilDrained({ db, log }: World, expected: number): Promise<true> {
  const deliveries = db.collection('deliveries');
  let logAt = Date.now();
  const probe = async () => {
    const count = await deliveries.estimatedDocumentCount();
    if (count >= expected && (await deliveries.findOne(overdue())) === null) return true;
    if (Date.now() < logAt) return undefined;
    log(
      `${count} of ${expected} deliveries exist, ${await deliveries.countDocuments(overdue())} are overdue`,
    );
    logAt += LOG_EVERY_MS;
    return undefined;
  };
  return poll(probe, { everyMs: 2_000, timeoutMs: 600_000, what: 'the processing of the backlog' });
}

function usageOf(pid: number): Usage {
  const usage = readUsage(pid);
  if (usage === null) throw new Error('the dispatcher exceeded its limits and was killed');
  return usage;
}

/** One dispatcher processes the backlog within the limits. */
export const drainWithLimits: Step = async (world) => {
  const dispatcher = await world.services.start('dispatcher', { nodeArgs: nodeArgsOfImage() });
  const pid = dispatcher.pid();
  const release = limitProcess(pid, LIMITS);
  const began = Date.now();
  const before = usageOf(pid);
  try {
    await untilDrained(world, world.load.accepted.length * ENDPOINTS);
    const { memory, cpuSeconds } = usageOf(pid);
    const seconds = (Date.now() - began) / 1_000;
    const cores = (cpuSeconds - before.cpuSeconds) / seconds;
    const peak = `${Math.round(memory.peak / 1024 / 1024)} MB`;
    world.log(`the dispatcher used ${peak} at most, ${cores.toFixed(2)} cores and ${Math.round(seconds)} s`);
    if (cores > LIMITS.cores * LIMIT_TOLERANCE) throw new Error('the limit of the cores had no effect');
    if (dispatcher.exits().length > 0) throw new Error('the dispatcher exceeded its limits and was killed');
    if (memory.peak > LIMITS.memoryBytes) throw new Error(`the dispatcher used ${peak}`);
  } finally {
    await dispatcher.stop();
    release();
  }
};
