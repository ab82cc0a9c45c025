import { readFileSync } from 'node:fs';
import { poll } from '#dev/processes/poll';
import { readUsage, type Usage } from '#dev/processes/proc-files';
import type { Fault, Step } from '../fault.js';
import { POPULATION } from '../load/population.js';
import { OK } from '../load/receiver.js';
import {
  addEndpoints,
  answer,
  atLeast,
  paths,
  pause,
  startDispatchers,
  stopDispatchers,
} from '../steps/frequent.js';
import { limitProcess, missingLimits } from '../world/limit-process.js';
import { overdue } from '../world/overdue.js';
import type { World } from '../world/world.js';

/** More endpoints give more retries without more events. */
const MORE_PATHS = paths('/more', 8);
const ALL_PATHS = [...Object.keys(POPULATION), ...MORE_PATHS];
const MIN_OVERDUE = 300;

const ENDPOINTS = 100;
const EVENTS = 2_000;
const MAX_BURSTS = 10;
const LIMITS = { memoryBytes: 512 * 1024 * 1024, cores: 0.5 };
/** A process is stopped only some time after it exceeded its share. */
const LIMIT_TOLERANCE = 1.25;
const LOG_EVERY_MS = 30_000;

const well = () => OK;

const expectOverdueRetries: Step = async ({ db, log }) => {
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

const acceptEvents: Step = async ({ load, log }) => {
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
const drainWithLimits: Step = async (world) => {
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

export const BACKLOGS: readonly Fault[] = [
  {
    number: 22,
    name: 'half of all deliveries fail, no dispatcher runs for 20 s, then all retries are due at once',
    quick: true,
    outage: 'dispatchers',
    rate: 15,
    // Longer than the failures: no dispatcher makes a retry before they are stopped.
    stepMs: 8_000,
    async prepare(world) {
      await addEndpoints(MORE_PATHS, well)(world);
      // With such a step, endpoints that fail for good would take minutes.
      await answer(ALL_PATHS, well)(world);
    },
    steps: [
      // Half of the deliveries, so that no endpoint is disabled.
      answer(ALL_PATHS, (bucket, earlier) => (earlier === 0 && bucket < 50 ? { status: 503 } : OK)),
      pause(7),
      stopDispatchers,
      pause(20),
      expectOverdueRetries,
      answer(ALL_PATHS, well),
      startDispatchers(2),
    ],
  },
  {
    number: 26,
    name: `one dispatcher with 512 MB and half a core has a backlog of ${(ENDPOINTS * EVENTS).toLocaleString('en')}`,
    outage: 'dispatchers',
    rate: 1,
    dispatchers: 1,
    missing: missingLimits,
    // A check of so much data blocks the receiver for seconds.
    settings: () => ({ DELIVERY_TIMEOUT: '30s' }),
    checkEveryMs: 90_000,
    async prepare(world) {
      // A disabled endpoint would not get its part of the backlog.
      await answer(['/broken'], well)(world);
      await addEndpoints(paths('/many', ENDPOINTS - world.endpoints.length), well)(world);
    },
    steps: [stopDispatchers, acceptEvents, drainWithLimits, startDispatchers(1)],
  },
];
