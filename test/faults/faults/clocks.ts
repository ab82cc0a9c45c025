import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Fault } from '../fault.js';
import { logged } from '../world/logged.js';
import type { World } from '../world/world.js';

/** Where Debian's package faketime puts it. */
const LIBRARY = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1';
const FILE = 'clock';
const FAR_MS = 300_000;
const JUMPS = ['+600', '-600', '+0', '-3600', '+0'];

/** Log lines carry the wall clock's time. */
function hasJumped(world: World): boolean {
  return logged(world).some((line) => {
    const [, time = ''] = /"time":"([^"]+)"/.exec(line) ?? [];
    return Math.abs(Date.parse(time) - Date.now()) > FAR_MS;
  });
}

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
      if (!hasJumped(world)) throw new Error("no service's clock has jumped");
    },
  },
];
