import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { readUsage, type Usage } from '#dev/processes/usage';
import type { Fault } from '../fault.js';
import { openEndpoint, POPULATION } from '../load/population.js';
import { OK } from '../load/receiver.js';
import { confine, lacksToConfine } from '../world/confine.js';
import type { World } from '../world/world.js';

const FAILING = { status: 503 } as const;
/** With them so many retries come together without many events. */
const MORE_PATHS = Array.from({ length: 8 }, (_, index) => `/more-${index + 1}`);
const EVERYBODY = [...Object.keys(POPULATION), ...MORE_PATHS];
const FAIL_FOR_MS = 7_000;
const NOBODY_FOR_MS = 20_000;
const FEWEST_OVERDUE = 300;

const ENDPOINTS = 100;
const EVENTS = 2_000;
const MOST_BURSTS = 10;
const LIMITS = { memoryBytes: 512 * 1024 * 1024, cores: 0.5 };
/** A process is stopped a little after it had its share. */
const LIMIT_ALLOWANCE = 1.25;
const DRAINED_WITHIN_MS = 600_000;
const LOOK_EVERY_MS = 2_000;
const SAY_EVERY_MS = 30_000;
/** Work that is younger than this is under way, not waiting. */
const UNDER_WAY_MS = 2_000;

/** Retries that should have been made by now. */
function overdueRetries({ db }: World): Promise<number> {
  return db.collection('deliveries').countDocuments({ dueAt: { $lt: new Date() }, attempts: { $gte: 1 } });
}

/** @returns what Node is told in the image, which decides how much memory it takes */
function nodeArgsOfImage(): readonly string[] {
  const dockerfile = readFileSync(new URL('../../../../Dockerfile', import.meta.url), 'utf8');
  const [, options] = /^ENV NODE_OPTIONS="([^"]+)"$/m.exec(dockerfile) ?? [];
  if (options === undefined) throw new Error('the image does not tell Node anything any more');
  return options.split(' ');
}

/** Makes events until so many more have been accepted. @throws Error when the api takes no more */
async function pileUp({ load }: World, events: number): Promise<void> {
  const enough = load.accepted.length + events;
  for (let tries = 0; tries < MOST_BURSTS && load.accepted.length < enough; tries += 1)
    await load.burst(enough - load.accepted.length);
  if (load.accepted.length < enough) throw new Error(`${enough - load.accepted.length} events are missing`);
}

/** Resolves once there are so many deliveries, and none of them waits. @throws Error when that takes too long */
async function untilDrained({ db, say }: World, owed: number): Promise<void> {
  const deliveries = db.collection('deliveries');
  const began = Date.now();
  let sayAt = began;
  for (;;) {
    const made = await deliveries.estimatedDocumentCount();
    const overdue = { dueAt: { $lt: new Date(Date.now() - UNDER_WAY_MS) } };
    if (made >= owed && (await deliveries.findOne(overdue)) === null) return;
    if (Date.now() >= sayAt) {
      say(`${made} of ${owed} deliveries are there, ${await deliveries.countDocuments(overdue)} wait`);
      sayAt += SAY_EVERY_MS;
    }
    if (Date.now() - began > DRAINED_WITHIN_MS)
      throw new Error(`the backlog was not gone after ${DRAINED_WITHIN_MS / 1_000} s`);
    await wait(LOOK_EVERY_MS);
  }
}

/** @throws Error when it has ended */
function usageOf(pid: number): Usage {
  const usage = readUsage(pid);
  if (usage === null) throw new Error('the dispatcher died of its limits');
  return usage;
}

/** @throws Error when the dispatcher needs more than it has, or too long */
async function drainConfined(world: World, owed: number): Promise<void> {
  const dispatcher = await world.processes.start('dispatcher', { nodeArgs: nodeArgsOfImage() });
  const pid = dispatcher.pid();
  const release = confine(pid, LIMITS);
  const began = Date.now();
  const before = usageOf(pid);
  try {
    await untilDrained(world, owed);
    const { memory, cpuSeconds } = usageOf(pid);
    const tookMs = Date.now() - began;
    const cores = ((cpuSeconds - before.cpuSeconds) * 1_000) / tookMs;
    world.say(
      `the dispatcher took ${Math.round(memory.peak / 1024 / 1024)} MB at most, ${cores.toFixed(2)} cores and ${Math.round(tookMs / 1_000)} s`,
    );
    if (cores > LIMITS.cores * LIMIT_ALLOWANCE)
      throw new Error('the dispatcher had more time than it should');
    if (dispatcher.deaths() > 0) throw new Error('the dispatcher died of its limits');
    if (memory.peak > LIMITS.memoryBytes) throw new Error(`the dispatcher took ${memory.peak} bytes`);
  } finally {
    await dispatcher.stop();
    release();
  }
  await world.processes.start('dispatcher');
}

export const BACKLOGS: readonly Fault[] = [
  {
    number: 22,
    name: 'everything fails, nobody retries for 20 s, then all retries are due at once',
    quick: true,
    outage: 'dispatchers',
    rate: 15,
    // Longer than everything fails: none is retried before nobody is there to do it.
    stepMs: 8_000,
    async prepare(world) {
      for (const path of MORE_PATHS) world.endpoints.push(await openEndpoint(world, path, () => OK));
      // With such a step those that fail for good would take minutes.
      for (const path of EVERYBODY) world.receiver.behave(path, () => OK);
    },
    async run(world) {
      // Half of the deliveries, so that no endpoint is disabled for it.
      for (const path of EVERYBODY)
        world.receiver.behave(path, (_, nth, lot) => (nth === 0 && lot < 50 ? FAILING : OK));
      await wait(FAIL_FOR_MS);
      await world.processes.stopAll('dispatcher');
      await wait(NOBODY_FOR_MS);
      const overdue = await overdueRetries(world);
      world.say(`${overdue} retries are overdue`);
      for (const path of EVERYBODY) world.receiver.behave(path, () => OK);
      await Promise.all([world.processes.start('dispatcher'), world.processes.start('dispatcher')]);
      if (overdue < FEWEST_OVERDUE) throw new Error(`only ${overdue} retries were overdue`);
    },
  },
  {
    number: 26,
    name: `a backlog of ${(ENDPOINTS * EVENTS).toLocaleString('en')} for one dispatcher with 512 MB and half a core`,
    quick: false,
    outage: 'dispatchers',
    rate: 1,
    dispatchers: 1,
    lacks: lacksToConfine,
    // Reading a history of that size keeps the receiver from answering for seconds; the endpoints are not to blame.
    settings: () => ({ DELIVERY_TIMEOUT: '30s' }),
    lookEveryMs: 90_000,
    async prepare(world) {
      // It would be disabled, and not be owed its part of the backlog.
      world.receiver.behave('/broken', () => OK);
      for (let index = world.endpoints.length; index < ENDPOINTS; index += 1)
        world.endpoints.push(await openEndpoint(world, `/many-${index}`, () => OK));
    },
    async run(world) {
      await world.processes.stopAll('dispatcher');
      await pileUp(world, EVENTS);
      const accepted = world.load.accepted.length;
      world.say(`${accepted} events were accepted`);
      await drainConfined(world, accepted * ENDPOINTS);
    },
  },
];
