import { setTimeout as sleep } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import type { Fault, Step } from '../fault.js';
import { STEADY } from '../load/population.js';
import {
  cut,
  expectLogged,
  freeze,
  kill,
  mend,
  pause,
  refuse,
  restart,
  resume,
  slow,
  startDispatchers,
  stopDispatchers,
} from '../steps/frequent.js';
import {
  configure,
  DELIVERIES,
  deleteGroups,
  LOG_APPEND_TIME,
  QUEUES,
  RETRY_TOPICS,
  recreate,
  STREAMS,
} from '../steps/kafka.js';

/** Hardly any message arrives that soon. A single broker accepts messages however many replicas are required. */
const ONLY_OF_THIS_MILLISECOND = {
  'message.timestamp.type': 'CreateTime',
  'message.timestamp.before.max.ms': '0',
  'message.timestamp.after.max.ms': '0',
};

/** The only member steps down; after this many seconds it elects itself again. */
const stepDown =
  (seconds: number): Step =>
  async ({ servers }) => {
    const uri = `mongodb://127.0.0.1:${servers.mongodPort}/?directConnection=true`;
    const client = await MongoClient.connect(uri);
    try {
      await client.db('admin').command({ replSetStepDown: seconds, force: true });
    } finally {
      await client.close();
    }
  };

const validateRateLimits =
  (validator: object): Step =>
  ({ db }) =>
    db.command({ collMod: 'rate_limits', validator });

const startWithoutRegistry: Step = async ({ services, servers }) => {
  let hasStarted = false;
  const starting = Promise.all([services.start('dispatcher'), services.start('api')]);
  starting.then(
    () => {
      hasStarted = true;
    },
    // A failed start is thrown by the last line.
    () => {},
  );
  await sleep(15_000);
  if (hasStarted) throw new Error('the services started without the registry');
  await servers.registry.start();
  await starting;
};

export const SERVERS: readonly Fault[] = [
  {
    number: 7,
    name: 'Kafka is killed and stays down for 30 s',
    quick: true,
    outage: 'broker',
    steps: [kill('kafka'), pause(30), restart('kafka')],
  },
  {
    number: 8,
    name: 'Kafka is frozen for 45 s',
    quick: true,
    outage: 'broker',
    steps: [freeze('kafka'), pause(45), resume('kafka')],
  },
  {
    number: 9,
    name: 'Kafka refuses messages as too large, then for their timestamps',
    steps: [
      configure(QUEUES, { ...LOG_APPEND_TIME, 'max.message.bytes': '64' }),
      pause(12),
      configure([...QUEUES, ...STREAMS], ONLY_OF_THIS_MILLISECOND),
      pause(12),
      configure(QUEUES, LOG_APPEND_TIME),
      configure(STREAMS, {}),
      expectLogged('MESSAGE_TOO_LARGE'),
      expectLogged('INVALID_TIMESTAMP'),
    ],
  },
  {
    number: 10,
    name: 'MongoDB is killed and restarted twice, then steps down',
    quick: true,
    outage: 'database',
    steps: [
      ...[0.5, 8].flatMap((seconds) => [kill('mongod'), pause(seconds), restart('mongod'), pause(4)]),
      stepDown(10),
      pause(10),
    ],
  },
  {
    number: 11,
    name: 'MongoDB takes 5 s for an operation, then refuses connections for 2 minutes',
    outage: 'database',
    linked: 'all',
    steps: [
      // A call of the api times out after 10 s, which is two operations: at first they succeed, so that there are deliveries.
      slow('mongod', 5_000),
      pause(30),
      slow('others', 5_000),
      pause(15),
      refuse('mongod'),
      refuse('others'),
      pause(120),
      mend('mongod'),
      mend('others'),
    ],
  },
  {
    number: 12,
    name: 'all dispatchers are cut off from MongoDB',
    outage: 'database',
    linked: 'dispatchers',
    steps: [cut('mongod'), pause(40), mend('mongod')],
  },
  {
    number: 13,
    name: 'two of three dispatchers are cut off from Kafka',
    linked: 'dispatchers',
    prepare: startDispatchers(1),
    steps: [cut('kafka'), pause(40), mend('kafka')],
  },
  {
    number: 21,
    name: 'consumer groups lose their offsets, then the delivery topic and a retry topic are recreated empty',
    quick: true,
    steps: [
      stopDispatchers,
      deleteGroups('dispatcher', 'fan-out'),
      pause(5),
      startDispatchers(2),
      pause(10),
      ...[DELIVERIES, `${RETRY_TOPICS[0]}`].flatMap((topic) => [recreate(topic), pause(5)]),
    ],
  },
  {
    number: 29,
    name: 'the registry is down while services work and while others start',
    steps: [kill('registry'), pause(5), startWithoutRegistry],
  },
  {
    number: 30,
    name: 'MongoDB refuses every write to the rate limits',
    minAccepted: 0.9,
    steps: [validateRateLimits({ missing: { $exists: true } }), pause(20), validateRateLimits({})],
  },
  {
    number: 39,
    name: 'the first retry topic refuses all messages',
    healthy: STEADY,
    steps: [
      configure(RETRY_TOPICS.slice(0, 1), { ...LOG_APPEND_TIME, 'max.message.bytes': '64' }),
      pause(40),
      configure(RETRY_TOPICS.slice(0, 1), LOG_APPEND_TIME),
      expectLogged('forward.failed', 'MESSAGE_TOO_LARGE'),
    ],
  },
];
