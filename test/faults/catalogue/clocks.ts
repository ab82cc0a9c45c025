import { spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault, Step } from '../fault.js';
import { expectLogged, mend, nothingArrivesFor, pause, untilLogged } from '../steps/frequent.js';
import { LOG_APPEND_TIME_ENTRIES } from '../steps/kafka.js';
import { javac } from '../world/broker-clock.js';
import { shiftLocalTime } from '../world/local-time.js';
import { type World, withAdmin } from '../world/world.js';

const clockProbeOf = (topicPrefix: string) => `${topicPrefix}clock-probe`;

/** Creates the topic of the messages that show the broker's time. Its creation may time out while the clock jumps. */
const createClockProbe: Step = async ({ kafka, topicPrefix }) => {
  const topic = clockProbeOf(topicPrefix);
  await withAdmin(kafka, (admin) =>
    admin.createTopics({ topics: [{ topic, configEntries: LOG_APPEND_TIME_ENTRIES }] }),
  );
};

/** Shifts the time that the database reports to dispatchers, by which they sign and date everything. */
const shiftDatabaseClock =
  (ms: number): Step =>
  ({ servers }) =>
    servers.links.mongod.change(shiftLocalTime(ms));

/** @throws Error if messages do not show that the broker's clock is shifted */
const shiftBrokerClock =
  (ms: number): Step =>
  async (world) => {
    const { brokerClock } = world.servers;
    if (brokerClock === null) throw new Error("the broker's clock cannot be shifted");
    brokerClock.shift(ms);
    await untilBrokerDates(world, ms);
  };

/** Waits for a message that the broker dates this far ahead. */
async function untilBrokerDates({ kafka, topicPrefix }: World, aheadMs: number): Promise<void> {
  const topic = clockProbeOf(topicPrefix);
  const until = Date.now() + 10_000;
  const producer = kafka.producer();
  await producer.connect();
  try {
    for (;;) {
      const [sent] = await producer.send({ topic, messages: [{ value: 'probe' }] });
      const ahead = Number(sent?.logAppendTime) - Date.now();
      if (Math.abs(ahead - aheadMs) < 5_000) return;
      if (Date.now() > until) throw new Error(`the broker's clock is ${ahead} ms ahead, not ${aheadMs}`);
      await sleep(200);
    }
  } finally {
    await producer.disconnect();
  }
}

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
