import { setTimeout as wait } from 'node:timers/promises';
import type { Fault } from '../fault.js';
import { POPULATION, STEADY } from '../load/population.js';

const FAILING = { kind: 'status', status: 503 } as const;

export const BACKLOGS: readonly Fault[] = [
  {
    number: 22,
    name: 'everything fails, nobody retries for 20 s, then all retries are due at once',
    quick: true,
    async run(world) {
      for (const path of STEADY)
        world.receiver.behave(path, (id, nth) =>
          nth === 0 && id.charCodeAt(id.length - 1) % 3 !== 0 ? FAILING : { kind: 'status', status: 200 },
        );
      await wait(6_000);
      await world.crew.stopAll('dispatcher');
      await wait(20_000);
      for (const path of STEADY) world.receiver.behave(path, POPULATION[path] ?? (() => FAILING));
      await Promise.all([world.crew.start('dispatcher'), world.crew.start('dispatcher')]);
    },
  },
];
