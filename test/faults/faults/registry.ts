import { setTimeout as wait } from 'node:timers/promises';
import type { Fault } from '../fault.js';

export const REGISTRY: readonly Fault[] = [
  {
    number: 29,
    name: 'the registry is down while services work, and while others start',
    quick: false,
    async run({ processes, servers }) {
      await servers.registry.kill();
      await wait(5_000);
      const starting = Promise.all([processes.start('dispatcher'), processes.start('api')]);
      let began = false;
      // Whoever gives up meanwhile is heard of below.
      starting.then(
        () => {
          began = true;
        },
        () => {},
      );
      await wait(15_000);
      if (began) throw new Error('nobody needed the registry to start');
      await servers.registry.start();
      await starting;
    },
  },
];
