import { spawnSync } from 'node:child_process';
import type { Fault } from '../fault.js';
import { expectLogged, mend, nothingArrivesFor, pause, untilLogged } from '../steps/frequent.js';
import { createClockProbe, shiftBrokerClock, shiftDatabaseClock } from '../steps/shifted-clocks.js';
import { javac } from '../world/broker-clock.js';

const hasCompiler = () => spawnSync(javac(), ['-version']).status === 0;

export const CLOCKS: readonly Fault[] = [
  {
    number: 34,
    name: "the database's clock is 6 minutes behind",
    outage: 'dispatchers',
    linked: 'dispatchers',
    steps: [
      shiftDatabaseClock(-360_000),
      untilLogged('clock.holding'),
      // Each dispatcher reads the database's clock every 10 s.
      pause(11),
      nothingArrivesFor(15),
      mend('mongod'),
      untilLogged('clock.agreed'),
      expectLogged('clock.holding', '"skewMs":-'),
    ],
  },
  {
    number: 40,
    name: "the broker's clock is 10 minutes ahead, and agrees again",
    brokerClock: true,
    missing: () => (hasCompiler() ? null : 'javac (a JDK, not only its runtime)'),
    steps: [createClockProbe, pause(5), shiftBrokerClock(600_000), pause(40), shiftBrokerClock(0), pause(10)],
  },
  {
    number: 41,
    name: "the database's clock is an hour ahead",
    outage: 'dispatchers',
    linked: 'dispatchers',
    steps: [
      shiftDatabaseClock(3_600_000),
      untilLogged('clock.holding'),
      pause(11),
      nothingArrivesFor(5),
      mend('mongod'),
      untilLogged('clock.agreed'),
      expectLogged('clock.holding', '"skewMs":3'),
    ],
  },
];
