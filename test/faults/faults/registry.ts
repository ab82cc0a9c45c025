import { setTimeout as wait } from 'node:timers/promises';
import type { Fault } from '../fault.js';

export const REGISTRY: readonly Fault[] = [
  {
    number: 29,
    name: 'the registry is down while services work, and while others start',
    quick: false,
    async run({ crew, servers }) {
      await servers.registry.kill();
      await wait(5_000);
      const starting = [crew.start('dispatcher'), crew.start('api')];
      await wait(15_000);
      await servers.registry.start();
      await Promise.all(starting);
    },
  },
];
