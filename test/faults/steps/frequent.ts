import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Step } from '../fault.js';
import { openEndpoint } from '../load/population.js';
import type { Behaviour } from '../load/receiver.js';
import { type Metric, watchPeak } from '../world/metrics.js';
import type { Servers } from '../world/servers.js';
import type { World } from '../world/world.js';

/*
 * The steps that most faults consist of.
 */

type Server = 'kafka' | 'mongod' | 'registry';
type LinkName = keyof Servers['links'];

export function pause(seconds: number): Step {
  return () => sleep(seconds * 1_000);
}

/** The fault begins here: the speeds before it include the load of the steps so far. */
export const begin: Step = ({ time }) => {
  time.began = Date.now();
};

export function kill(server: Server): Step {
  return ({ servers }) => servers[server].kill();
}

export function restart(server: Server): Step {
  return ({ servers }) => servers[server].start();
}

export function freeze(server: Server): Step {
  return ({ servers }) => servers[server].freeze();
}

export function resume(server: Server): Step {
  return ({ servers }) => servers[server].resume();
}

/** Keeps connections through the link open, but forwards nothing. */
export function cut(link: LinkName): Step {
  return ({ servers }) => servers.links[link].cut();
}

/** Every request through the link takes this much longer. */
export function slow(link: LinkName, ms: number): Step {
  return ({ servers }) => servers.links[link].slow(ms);
}

/** Connections through the link are closed, and new ones refused. */
export function refuse(link: LinkName): Step {
  return ({ servers }) => servers.links[link].refuse();
}

export function mend(link: LinkName): Step {
  return ({ servers }) => servers.links[link].mend();
}

export const stopDispatchers: Step = ({ services }) => services.stopAll('dispatcher');

export function startDispatchers(count: number): Step {
  return ({ services }) => Promise.all(Array.from({ length: count }, () => services.start('dispatcher')));
}

/** `/path-1`, `/path-2`, and so on. */
export const paths = (prefix: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}-${index + 1}`);

/** Creates endpoints. @param origin the receiver's by default */
export function addEndpoints(
  added: readonly string[],
  behaviour: Behaviour,
  origin = ({ receiver }: World) => receiver.url,
): Step {
  return async (world) => {
    for (const path of added)
      world.endpoints.push(await openEndpoint(world, path, behaviour, `${origin(world)}${path}`));
  };
}

/** From now on these endpoints answer in this way. */
export function answer(changed: readonly string[], behaviour: Behaviour): Step {
  return ({ receiver }) => {
    for (const path of changed) receiver.behave(path, behaviour);
  };
}

/** @throws Error if something happened too rarely for the fault to be meaningful */
export function atLeast(least: number, count: number, what: string): void {
  if (count < least) throw new Error(`${count} ${what}, expected at least ${least}`);
}

/** Lines that the services have logged so far. */
export function loggedLines({ directory }: Pick<World, 'directory'>): readonly string[] {
  const logs = join(directory, 'logs');
  return readdirSync(logs).flatMap((file) => readFileSync(join(logs, file), 'utf8').split('\n'));
}

/** @throws Error unless the sum of a gauge over the processes of its service reached a value during these steps */
export function expectPeak(least: number, metric: Metric, steps: readonly Step[]): Step {
  return async (world) => {
    const end = watchPeak(world.services, metric);
    try {
      for (const step of steps) await step(world);
    } finally {
      const peak = await end();
      world.log(`${metric.name} was ${peak} at its peak`);
      atLeast(least, peak, `in ${metric.name} at its peak`);
    }
  };
}

/** @throws Error unless the services logged a line with all these texts */
export function expectLogged(...texts: readonly string[]): Step {
  return (world) => {
    const lines = loggedLines(world).filter((line) => texts.every((text) => line.includes(text)));
    world.log(`${lines.length} log lines contain ${texts.join(' and ')}`);
    atLeast(1, lines.length, `log lines contain ${texts.join(' and ')}`);
  };
}

/** An attempt that began just before an outage, or before sending was held, may be recorded. */
export const BEGINNING_MS = 1_000;

const LOGGED_WITHIN_S = 30;

/** Waits for a log line of this event. */
export function untilLogged(event: string, withinS = LOGGED_WITHIN_S): Step {
  return async (world) => {
    const until = Date.now() + withinS * 1_000;
    while (!loggedLines(world).some((line) => line.includes(`"${event}"`))) {
      if (Date.now() > until) throw new Error(`${event} was not logged`);
      await sleep(200);
    }
  };
}

/** @throws Error if a POST arrives within these seconds, except for those that were in flight */
export function nothingArrivesFor(seconds: number): Step {
  return async (world) => {
    await sleep(BEGINNING_MS);
    const before = world.receiver.received.length;
    await sleep(seconds * 1_000);
    const arrived = world.receiver.received.length - before;
    if (arrived > 0) throw new Error(`${arrived} POSTs arrived while sending was held`);
  };
}
