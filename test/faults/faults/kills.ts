import type { Fault } from '../fault.js';
import { FLAKY, openEndpoint } from '../load/population.js';
import type { World } from '../world/world.js';
import { dieAt } from './die-at.js';
import { killAtRandom } from './kill-at-random.js';

const KILLS = 20;
const AT_ANY_MOMENT = 5;
const DEATHS = 5;
/** So many that there are some in the partitions of either dispatcher, whatever their identifiers. */
const FLAKY_PATHS = Array.from({ length: 8 }, (_, index) => `/flaky-${index + 1}`);

async function openFlaky(world: World): Promise<void> {
  for (const path of FLAKY_PATHS) world.endpoints.push(await openEndpoint(world, path, FLAKY));
}

const killedAt = (number: number, name: string, failpoint: string): Fault => ({
  number,
  name,
  quick: true,
  dispatchers: 1,
  prepare: openFlaky,
  rate: 5,
  run: (world) => dieAt(world, { name: 'dispatcher', failpoints: [failpoint], times: DEATHS, within: 40 }),
});

export const KILLS_OF_THE_DISPATCHER: readonly Fault[] = [
  {
    number: 1,
    name: `a dispatcher is killed at ${KILLS} random moments`,
    quick: true,
    run: (world) => killAtRandom(world, { times: KILLS, atAnyMoment: AT_ANY_MOMENT }),
  },
  killedAt(2, 'killed between POST and commit', 'attempt.settle'),
  killedAt(3, 'killed between commit and retry', 'delivery.enqueue'),
  killedAt(4, 'killed between the work and the commit of its offset', 'offset.commit'),
];

export const KILLS_OF_OTHERS: readonly Fault[] = [
  {
    number: 23,
    name: 'dlq-consumer killed before burial, before publishing, before the commit of its offset',
    quick: false,
    async run(world) {
      await world.processes.stopAll('dlq-consumer');
      const failpoints = ['delivery.dead_letter', 'outbox.publish', 'offset.commit'];
      await dieAt(world, { name: 'dlq-consumer', failpoints, times: failpoints.length, within: 2 });
    },
  },
  {
    number: 28,
    name: 'api killed between commit and publish, two api processes sweeping',
    quick: true,
    run: (world) => dieAt(world, { name: 'api', failpoints: ['outbox.publish'], times: DEATHS, within: 30 }),
  },
];
