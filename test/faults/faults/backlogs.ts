import { setTimeout as wait } from 'node:timers/promises';
import type { Fault } from '../fault.js';
import { openEndpoint, POPULATION, STEADY } from '../load/population.js';
import { OK } from '../load/receiver.js';
import { confine, residentBytes } from '../world/confine.js';
import type { World } from '../world/world.js';

const FAILING = { kind: 'status', status: 503 } as const;
const ENDPOINTS = 100;
const EVENTS = 2_000;
const LIMITS = { memoryBytes: 512 * 1024 * 1024, cores: 0.5 };
const DRAINED_WITHIN_MS = 300_000;

/** @throws Error when the dispatcher needs more than it has, or too long */
async function drainConfined(world: World): Promise<void> {
  const dispatcher = await world.crew.start('dispatcher');
  const pid = dispatcher.pid();
  const release = confine(pid, LIMITS);
  if (release === null) world.say('no control groups here: memory is only measured, time not limited');
  const until = Date.now() + DRAINED_WITHIN_MS;
  let most = 0;
  const backlog = () => world.db.collection('deliveries').countDocuments({ dueAt: { $exists: true } });
  await wait(5_000);
  for (let left = await backlog(); left > ENDPOINTS && Date.now() < until; left = await backlog()) {
    most = Math.max(most, residentBytes(pid));
    await wait(1_000);
  }
  world.say(`the dispatcher took ${Math.round(most / 1024 / 1024)} MB at most`);
  if (dispatcher.deaths() > 0) throw new Error('the dispatcher died of its limits');
  if (most > LIMITS.memoryBytes) throw new Error(`the dispatcher took ${most} bytes`);
  if (Date.now() >= until) throw new Error(`the backlog was not gone after ${DRAINED_WITHIN_MS / 1_000} s`);
  await dispatcher.stop();
  release?.();
  await world.crew.start('dispatcher');
}

export const BACKLOGS: readonly Fault[] = [
  {
    number: 22,
    name: 'everything fails, nobody retries for 20 s, then all retries are due at once',
    quick: true,
    outage: 'dispatchers',
    async run(world) {
      for (const path of STEADY)
        world.receiver.behave(path, (id, nth) =>
          nth === 0 && id.charCodeAt(id.length - 1) % 3 !== 0 ? FAILING : OK,
        );
      await wait(6_000);
      await world.crew.stopAll('dispatcher');
      await wait(20_000);
      for (const path of STEADY) world.receiver.behave(path, POPULATION[path] ?? (() => OK));
      await Promise.all([world.crew.start('dispatcher'), world.crew.start('dispatcher')]);
    },
  },
  {
    number: 26,
    name: `a backlog of ${(ENDPOINTS * EVENTS).toLocaleString('en')} for one dispatcher with 512 MB and half a core`,
    quick: false,
    outage: 'dispatchers',
    rate: 1,
    dispatchers: 1,
    // A history of that size takes a while to read.
    lookEveryMs: 600_000,
    async prepare(world) {
      for (let index = world.endpoints.length; index < ENDPOINTS; index += 1)
        world.endpoints.push(await openEndpoint(world, `/many-${index}`, () => OK));
    },
    async run(world) {
      await world.crew.stopAll('dispatcher');
      await world.load.burst(EVENTS);
      world.say(`${EVENTS} events are waiting`);
      await drainConfined(world);
    },
  },
];
