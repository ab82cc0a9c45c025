import { setTimeout as sleep } from 'node:timers/promises';
import { poll } from '#dev/processes/poll';
import type { ServiceName } from '#dev/processes/start-service';
import type { Step } from '../fault.js';
import { KILLED, type SupervisedService } from '../world/supervise.js';
import type { World } from '../world/world.js';
import { atLeast } from './frequent.js';

const WORKING_WITHIN_MS = 60_000;
const LONGEST_WORK_MS = 2_000;
const CRASHED_WITHIN_MS = 90_000;

interface Freezes {
  readonly times: number;
  readonly frozenMs: number;
  readonly pauseMs?: number;
}

/** Freezes the dispatchers in turn. */
export const freezeDispatchers =
  ({ times, frozenMs, pauseMs = 0 }: Freezes): Step =>
  async ({ services }) => {
    for (let freeze = 0; freeze < times; freeze += 1) {
      const dispatchers = services.running('dispatcher');
      const frozen = dispatchers[freeze % dispatchers.length];
      frozen?.freeze();
      await sleep(frozenMs);
      frozen?.resume();
      await sleep(pauseMs);
    }
  };

export interface Failpoint {
  readonly name: string;
  /** The service crashes at a random one of the first `within` times that it reaches the failpoint. */
  readonly within: number;
}

interface Crashes {
  readonly service: ServiceName;
  /** Where it crashes, in turn. */
  readonly failpoints: readonly Failpoint[];
  readonly times: number;
}

/** Starts another process of a service that crashes at failpoints again and again. */
export const crashAtFailpoints =
  ({ service, failpoints, times }: Crashes): Step =>
  async (world) => {
    const names = failpoints.map(({ name }) => name).join(', ');
    let starts = 0;
    const common = service === 'dispatcher' ? world.linked : {};
    const env = () => {
      const failpoint = failpoints[starts % failpoints.length];
      starts += 1;
      if (failpoint === undefined || starts > times) return common;
      return { ...common, FAILPOINTS: `${failpoint.name}:${world.random.between(1, failpoint.within)}` };
    };
    const crashing = await world.services.launch(service, { env });
    const until = Date.now() + CRASHED_WITHIN_MS;
    do {
      await sleep(100);
      const other = crashing.exits().find(({ how }) => how !== KILLED);
      if (other !== undefined)
        throw new Error(`${service} did not crash at a failpoint (${other.how}): ${other.lastLine}`);
    } while (crashing.exits().length < times && Date.now() < until);
    atLeast(times, crashing.exits().length, `crashes of the ${service} at ${names}`);
    world.log(`${service} crashed ${times} times at ${names}`);
  };

interface Kills {
  readonly times: number;
  /** The number of kills at any time, even during a start. All others kill a dispatcher that is working. */
  readonly atAnyMoment: number;
}

/** Kills working dispatchers one after another: each has partitions and has run for a random time. */
export const killDispatchers =
  ({ times, atAnyMoment }: Kills): Step =>
  async (world) => {
    const { random, services } = world;
    const anyMoment = new Set<number>();
    while (anyMoment.size < atAnyMoment) anyMoment.add(random.between(0, times - 1));
    const earlier = killedDispatchers(world);
    let atWork = 0;
    let since = 0;
    for (let kill = 0; kill < times; kill += 1) {
      const dispatcher = random.pick(services.running('dispatcher'));
      const pauseMs = random.between(0, LONGEST_WORK_MS);
      if (!anyMoment.has(kill)) await untilAtWork(dispatcher, since);
      await sleep(pauseMs);
      // Meanwhile a rebalance may have taken its partitions.
      if (!anyMoment.has(kill)) await untilAtWork(dispatcher, since);
      if (isAtWork(dispatcher, since)) atWork += 1;
      since = Date.now();
      await dispatcher.kill();
    }
    const killed = killedDispatchers(world) - earlier;
    world.log(`${killed} dispatchers were killed, ${atWork} of them while working`);
    atLeast(times, killed, 'dispatchers were killed');
    atLeast(times - atAnyMoment, atWork, 'dispatchers were killed while working');
  };

const isAtWork = (dispatcher: SupervisedService, since: number) =>
  (dispatcher.partitionsSince() ?? 0) > since;

const untilAtWork = (dispatcher: SupervisedService, since: number) =>
  poll(async () => isAtWork(dispatcher, since) || undefined, {
    everyMs: 20,
    timeoutMs: WORKING_WITHIN_MS,
    what: 'the assignment of partitions to a dispatcher',
  });

const killedDispatchers = ({ services }: World) =>
  services
    .running('dispatcher')
    .flatMap((dispatcher) => dispatcher.exits())
    .filter(({ how }) => how === KILLED).length;
