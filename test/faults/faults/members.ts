import { setTimeout as wait } from 'node:timers/promises';
import type { Fault } from '../fault.js';

const FROZEN_MS = 60_000;
const MOVES = 18;
const MOVE_EVERY_MS = 10_000;
const MOST_MEMBERS = 4;

export const MEMBERS: readonly Fault[] = [
  {
    number: 5,
    name: 'a dispatcher is frozen for 60 s and comes back',
    quick: true,
    async run(world) {
      const zombie = world.random.pick(world.processes.of('dispatcher'));
      zombie.freeze();
      await wait(FROZEN_MS);
      zombie.thaw();
    },
  },
  {
    number: 6,
    name: 'a dispatcher joins or leaves every 10 s for 3 minutes',
    quick: true,
    async run(world) {
      for (let moves = 0; moves < MOVES; moves += 1) {
        const next = Date.now() + MOVE_EVERY_MS;
        const members = world.processes.of('dispatcher');
        const joins = members.length < 2 || (members.length < MOST_MEMBERS && world.random.next() < 0.5);
        if (joins) await world.processes.start('dispatcher');
        else await world.random.pick(members).stop();
        await wait(Math.max(0, next - Date.now()));
      }
    },
  },
];
