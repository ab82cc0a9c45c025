import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault, Step } from '../fault.js';
import { FLAKY } from '../load/population.js';
import { type Behaviour, OK } from '../load/receiver.js';
import { addEndpoints, loggedLines, paths, stopDispatchers } from '../steps/frequent.js';
import { crashAtFailpoints, type Failpoint, freezeDispatchers, killDispatchers } from '../steps/processes.js';

const KILLS = 20;
const CRASHES = 5;
const REBALANCES = 18;
const REBALANCE_EVERY_MS = 10_000;
const MAX_DISPATCHERS = 4;

/** Exactly between reading a row and updating it: within a transaction, and by a separate update. */
const BETWEEN_READ_AND_UPDATE: readonly Failpoint[] = [
  { name: 'attempt.write', within: 40 },
  { name: 'attempt.record', within: 40 },
];

/**
 * Between storing rows and the start of their attempts, and before the messages of rows whose attempts take long, which are
 * published some at a time. All events of the workspace are in one partition, so no other dispatcher may be there to own it.
 */
const crashDuringHandOver: readonly Step[] = [
  stopDispatchers,
  crashAtFailpoints({
    service: 'dispatcher',
    failpoints: [
      { name: 'fanout.hand_over', within: 20 },
      { name: 'fanout.enqueue', within: 10 },
    ],
    times: 2,
  }),
];

/** A row needs a message once its attempt takes longer than a second. Few enough do that no endpoint gets a backlog. */
const sometimesSlow: Behaviour = (bucket) => ({ ...OK, delayMs: bucket < 5 ? 1_500 : 0 });

/** Eight endpoints that fail occasionally give each of two dispatchers retries; others are sometimes slow. */
const addEndpointsToCrashAt: Step = async (world) => {
  await addEndpoints(paths('/flaky', 8), FLAKY)(world);
  await addEndpoints(paths('/sometimes-slow', 4), sometimesSlow)(world);
};

/** A fault in which a second dispatcher crashes. */
const dispatcherCrashes = (number: number, name: string, failpoint: Failpoint): Fault => ({
  number,
  name: `a dispatcher crashes ${name}`,
  quick: true,
  dispatchers: 1,
  prepare: addEndpointsToCrashAt,
  rate: 5,
  steps: [
    ...crashDuringHandOver,
    crashAtFailpoints({
      service: 'dispatcher',
      failpoints: [failpoint, ...BETWEEN_READ_AND_UPDATE],
      times: CRASHES,
    }),
  ],
});

/** Crashes a second dispatcher twice at each of the two failpoints. */
const crashBetweenReadAndUpdate = crashAtFailpoints({
  service: 'dispatcher',
  failpoints: BETWEEN_READ_AND_UPDATE,
  times: 2 * BETWEEN_READ_AND_UPDATE.length,
});

const rebalance: Step = async ({ services, random }) => {
  for (let count = 0; count < REBALANCES; count += 1) {
    const next = Date.now() + REBALANCE_EVERY_MS;
    const dispatchers = services.running('dispatcher');
    const joins = dispatchers.length < 2 || (dispatchers.length < MAX_DISPATCHERS && random.next() < 0.5);
    if (joins) await services.start('dispatcher');
    else await random.pick(dispatchers).stop();
    await sleep(Math.max(0, next - Date.now()));
  }
};

/** By default, where Debian's package faketime installs it. */
const FAKETIME = process.env.LIBFAKETIME ?? '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1';
const JUMP_SHOWN_BY_MS = 300_000;
const clockFile = (directory: string) => join(directory, 'clock');

/** Sets the clocks of all services to these offsets, each for 8 s. Log lines carry the wall clock's time. */
const setClocks =
  (...offsets: readonly string[]): Step =>
  async (world) => {
    for (const offset of offsets) {
      writeFileSync(clockFile(world.directory), `${offset}\n`);
      await sleep(8_000);
    }
    const hasJumped = loggedLines(world).some((line) => {
      const time = /"time":"([^"]+)"/.exec(line)?.[1] ?? '';
      return Math.abs(Date.parse(time) - Date.now()) > JUMP_SHOWN_BY_MS;
    });
    if (!hasJumped) throw new Error('no log line shows a changed clock');
  };

export const PROCESSES: readonly Fault[] = [
  {
    number: 1,
    name: `a dispatcher is killed between read and update, and at ${KILLS} random moments`,
    quick: true,
    prepare: addEndpointsToCrashAt,
    // With this many endpoints that is as many deliveries as in other faults. There is hardly a moment without a kill.
    rate: 3,
    steps: [
      ...crashDuringHandOver,
      crashBetweenReadAndUpdate,
      killDispatchers({ times: KILLS, atAnyMoment: 5 }),
    ],
  },
  dispatcherCrashes(2, 'between the POST and its record', { name: 'attempt.settle', within: 40 }),
  dispatcherCrashes(3, 'between the record and the retry message', { name: 'delivery.enqueue', within: 40 }),
  // Offsets are committed at most once a second.
  dispatcherCrashes(4, 'between the work and the commit of its offset', {
    name: 'offset.commit',
    within: 10,
  }),
  {
    number: 5,
    name: 'a dispatcher is frozen for 60 s',
    quick: true,
    steps: [freezeDispatchers({ times: 1, frozenMs: 60_000 })],
  },
  {
    number: 6,
    name: 'a dispatcher joins or leaves every 10 s for 3 minutes',
    quick: true,
    steps: [rebalance],
  },
  {
    number: 18,
    name: "the services' clocks jump 10 minutes ahead and back, and an hour back",
    // They send nothing while their clocks differ from the database's by more than a minute.
    outage: 'dispatchers',
    missing: () =>
      existsSync(FAKETIME)
        ? null
        : `${FAKETIME} (on Debian: apt install faketime; elsewhere set LIBFAKETIME to the path of the library)`,
    settings(directory) {
      writeFileSync(clockFile(directory), '+0\n');
      return {
        LD_PRELOAD: FAKETIME,
        FAKETIME_TIMESTAMP_FILE: clockFile(directory),
        FAKETIME_NO_CACHE: '1',
        FAKETIME_DONT_FAKE_MONOTONIC: '1',
      };
    },
    steps: [setClocks('+600', '-600', '+0', '-3600', '+0')],
  },
  {
    number: 23,
    name: 'dlq-consumer crashes before it records, before it publishes, and before it commits its offset',
    steps: [
      ({ services }) => services.stopAll('dlq-consumer'),
      crashAtFailpoints({
        service: 'dlq-consumer',
        failpoints: [
          { name: 'delivery.dead_letter', within: 2 },
          { name: 'outbox.publish', within: 2 },
          { name: 'offset.commit', within: 2 },
        ],
        times: 3,
      }),
    ],
  },
  {
    number: 28,
    name: 'one of two api processes crashes between commit and publish',
    quick: true,
    steps: [
      crashAtFailpoints({
        service: 'api',
        failpoints: [{ name: 'outbox.publish', within: 30 }],
        times: CRASHES,
      }),
    ],
  },
];
