import { setTimeout as wait } from 'node:timers/promises';
import type { Fault } from '../fault.js';
import type { World } from '../world/world.js';

const KILLS = 20;

/** A dispatcher that dies at a failpoint again and again, each time after another number of steps. */
async function dieAt(world: World, failpoint: string, times: number): Promise<void> {
  let left = times;
  const doomed = await world.crew.begin('dispatcher', {
    env: () => {
      left -= 1;
      return left < 0
        ? world.linked
        : { ...world.linked, FAILPOINTS: `${failpoint}:${world.random.between(2, 60)}` };
    },
  });
  const [other] = world.crew.of('dispatcher');
  await other?.stop();
  const until = Date.now() + 60_000;
  while (doomed.deaths() < times && Date.now() < until) await wait(100);
  if (doomed.deaths() < times) throw new Error(`${failpoint} was reached ${doomed.deaths()} times only`);
  world.say(`died ${times} times at ${failpoint}`);
}

const DEATHS = 5;

export const KILLS_OF_THE_DISPATCHER: readonly Fault[] = [
  {
    number: 1,
    name: `a dispatcher is killed at ${KILLS} random moments`,
    quick: true,
    async run(world) {
      for (let kills = 1; kills <= KILLS; kills += 1) {
        await wait(world.random.between(300, 2_500));
        await world.random.pick(world.crew.of('dispatcher')).kill();
      }
    },
  },
  {
    number: 2,
    name: 'killed between POST and commit',
    quick: true,
    run: (world) => dieAt(world, 'attempt.settle', DEATHS),
  },
  {
    number: 3,
    name: 'killed between commit and retry',
    quick: true,
    run: (world) => dieAt(world, 'delivery.enqueue', DEATHS),
  },
  {
    number: 4,
    name: 'killed between the work and the commit of its offset',
    quick: true,
    run: (world) => dieAt(world, 'offset.commit', DEATHS),
  },
];
