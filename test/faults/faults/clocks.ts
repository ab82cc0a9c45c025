import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Fault } from '../fault.js';

/** Where Debian's package faketime puts it. */
const LIBRARY = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1';
const FILE = 'clock';
const JUMPS = ['+600', '-600', '+0', '-3600', '+0'];

export const CLOCKS: readonly Fault[] = [
  {
    number: 18,
    name: "the services' clocks jump by 10 minutes to and fro, and an hour back",
    quick: false,
    lacks: () => (existsSync(LIBRARY) ? null : `${LIBRARY} (Debian: apt install faketime)`),
    settings(directory) {
      const file = join(directory, FILE);
      writeFileSync(file, '+0\n');
      return {
        LD_PRELOAD: LIBRARY,
        FAKETIME_TIMESTAMP_FILE: file,
        FAKETIME_NO_CACHE: '1',
        FAKETIME_DONT_FAKE_MONOTONIC: '1',
      };
    },
    async run(world) {
      for (const jump of JUMPS) {
        writeFileSync(join(world.directory, FILE), `${jump}\n`);
        await wait(8_000);
      }
    },
  },
];
