import { setTimeout as wait } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import type { Fault } from '../fault.js';
import type { World } from '../world/world.js';

const STEPPED_DOWN_S = 10;
const SLOW_MS = 5_000;
const SLOW_FOR_MS = 30_000;
const SLOW_FOR_ALL_MS = 15_000;
const CUT_MS = 40_000;

/** The only member gives up being primary; after this many seconds it elects itself again. */
async function stepDown(world: World, seconds: number): Promise<void> {
  const client = await MongoClient.connect(
    `mongodb://127.0.0.1:${world.servers.mongodPort}/?directConnection=true`,
  );
  try {
    await client.db('admin').command({ replSetStepDown: seconds, force: true });
  } finally {
    await client.close();
  }
}

export const DATABASE: readonly Fault[] = [
  {
    number: 10,
    name: 'MongoDB is killed and started again, then steps down',
    quick: true,
    outage: 'database',
    async run(world) {
      for (const pause of [500, 8_000]) {
        await world.servers.mongod.kill();
        await wait(pause);
        await world.servers.mongod.start();
        await wait(4_000);
      }
      await stepDown(world, STEPPED_DOWN_S);
      await wait(STEPPED_DOWN_S * 1_000);
    },
  },
  {
    number: 11,
    name: 'MongoDB takes 5 s for an operation, then refuses connections for 2 minutes',
    quick: false,
    outage: 'database',
    linked: 'all',
    async run({ servers: { links } }) {
      // The api answers nobody after 10 s, which is two operations: at first it goes on, so that dispatchers have work.
      links.mongod.slow(SLOW_MS);
      await wait(SLOW_FOR_MS);
      links.others.slow(SLOW_MS);
      await wait(SLOW_FOR_ALL_MS);
      for (const link of [links.mongod, links.others]) await link.refuse();
      await wait(120_000);
      for (const link of [links.mongod, links.others]) await link.mend();
    },
  },
  {
    number: 12,
    name: 'dispatchers are cut off from MongoDB alone',
    quick: false,
    outage: 'database',
    linked: 'dispatchers',
    async run({ servers: { links } }) {
      links.mongod.cut();
      await wait(CUT_MS);
      await links.mongod.mend();
    },
  },
  {
    number: 13,
    name: 'two of three dispatchers are cut off from Kafka alone',
    quick: false,
    linked: 'dispatchers',
    async prepare(world) {
      await world.processes.start('dispatcher');
    },
    async run({ servers: { links } }) {
      links.kafka.cut();
      await wait(CUT_MS);
      await links.kafka.mend();
    },
  },
  {
    number: 30,
    name: 'the store of rate limits refuses every write',
    quick: false,
    leastAccepted: 0.9,
    async run({ db }) {
      const validator = { nobody: { $exists: true } };
      await db.command({ collMod: 'rate_limits', validator });
      await wait(20_000);
      await db.command({ collMod: 'rate_limits', validator: {} });
    },
  },
];
