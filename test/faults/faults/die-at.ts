import { setTimeout as wait } from 'node:timers/promises';
import type { ServiceName } from '#dev/processes/start-service';
import { KILLED } from '../world/place.js';
import type { World } from '../world/world.js';

interface Deaths {
  readonly name: ServiceName;
  /** Where it dies, in turn. */
  readonly failpoints: readonly string[];
  readonly times: number;
  /** The most steps that it makes before it dies. */
  readonly within: number;
}

const PATIENCE_MS = 90_000;

/**
 * A service that dies at failpoints again and again, each time after another number of steps, beside one that lives.
 *
 * @throws Error when it did not come to them often enough, or ended in any other way
 */
export async function dieAt(world: World, { name, failpoints, times, within }: Deaths): Promise<void> {
  let life = 0;
  const common = name === 'dispatcher' ? world.linked : {};
  const doomed = await world.processes.begin(name, {
    env: () => {
      const failpoint = failpoints[life % failpoints.length];
      life += 1;
      return life > times
        ? common
        : { ...common, FAILPOINTS: `${failpoint}:${world.random.between(1, within)}` };
    },
  });
  const until = Date.now() + PATIENCE_MS;
  do {
    await wait(100);
    const other = doomed.ends().find(({ how }) => how !== KILLED);
    if (other !== undefined)
      throw new Error(`${name} did not die at a failpoint (${other.how}): ${other.lastLine}`);
  } while (doomed.deaths() < times && Date.now() < until);
  if (doomed.deaths() < times)
    throw new Error(`${name} came to ${failpoints.join(', ')} only ${doomed.deaths()} of ${times} times`);
  world.say(`${name} died ${times} times at ${failpoints.join(', ')}`);
}
