import { setTimeout as sleep } from 'node:timers/promises';
import type { Step } from '../fault.js';
import { shiftLocalTime } from '../world/local-time.js';
import { type World, withAdmin } from '../world/world.js';
import { LOG_APPEND_TIME_ENTRIES } from './kafka.js';

const clockProbeOf = (topicPrefix: string) => `${topicPrefix}clock-probe`;

/** Creates the topic of the messages that show the broker's time. Its creation may time out while the clock jumps. */
export const createClockProbe: Step = async ({ kafka, topicPrefix }) => {
  const topic = clockProbeOf(topicPrefix);
  await withAdmin(kafka, (admin) =>
    admin.createTopics({ topics: [{ topic, configEntries: LOG_APPEND_TIME_ENTRIES }] }),
  );
};

/** Shifts the time that the database reports to dispatchers, by which they sign and date everything. */
export const shiftDatabaseClock =
  (ms: number): Step =>
  ({ servers }) =>
    servers.links.mongod.change(shiftLocalTime(ms));

/** @throws Error if messages do not show that the broker's clock is shifted */
export const shiftBrokerClock =
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
