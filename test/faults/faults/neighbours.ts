import { setTimeout as wait } from 'node:timers/promises';
import { nameServer } from '@postrider/shared/testing/name-server';
import type { Fault, Step } from '../fault.js';
import { STEADY } from '../load/population.js';
import { OK } from '../load/receiver.js';
import type { World } from '../world/world.js';
import { configure, LOG_APPEND_TIME, RETRY_TOPICS } from './kafka-steps.js';
import { type OtherWorkspace, openOtherWorkspaces, underOtherLoad } from './other-workspaces.js';
import { addEndpoints, answer, atLeast, expectLogged, paths, pause } from './steps.js';

const SILENT_PATHS = paths('/silent', 60);
const SILENT: readonly OtherWorkspace[] = [{ slug: 'silent', paths: SILENT_PATHS, eventEveryMs: 1_000 }];
const SILENCE_S = 40;

const NAME_SERVER_PORT = 25_356;
const NAMED_PATHS = paths('/named', 8);
const STALL_MS = 2_000;
const STALLED_S = 40;

const MIN_DELIVERIES = 20;

const well = () => OK;

/** The runs whose name server is stalled. */
const stalled = new WeakSet<World>();
const stallNames: Step = (world) => void stalled.add(world);
const answerNames: Step = (world) => void stalled.delete(world);

/** Starts a name server, which ends with this process, and adds endpoints with names. */
const startNames: Step = async (world) => {
  await nameServer(async () => {
    if (stalled.has(world)) await wait(STALL_MS);
    return { addresses: ['127.0.0.1'], ttlSeconds: 1 };
  }, NAME_SERVER_PORT);
  await addEndpoints(NAMED_PATHS, well, named)(world);
};

const portOf = (url: string) => new URL(url).port;
const named = ({ receiver }: World) => `http://named.faults.example:${portOf(receiver.url)}`;

/** @throws Error if an attempt at one of these endpoints failed */
const nothingFailed =
  (some: readonly string[]): Step =>
  async (world) => {
    const ids = world.endpoints.filter(({ path }) => some.includes(path)).map(({ id }) => id);
    const rows = world.db.collection('deliveries');
    const failed = await rows.countDocuments({ endpointId: { $in: ids }, 'records.status': 'failed' });
    const delivered = await rows.countDocuments({ endpointId: { $in: ids }, status: 'delivered' });
    world.log(`${delivered} deliveries, ${failed} with a failure`);
    if (failed > 0) throw new Error(`${failed} deliveries have a failed attempt`);
    atLeast(MIN_DELIVERIES, delivered, 'deliveries to endpoints with names');
  };

export const NEIGHBOURS: readonly Fault[] = [
  {
    number: 37,
    name: `all ${SILENT_PATHS.length} endpoints of another workspace fall silent`,
    healthy: STEADY,
    overloaded: SILENT_PATHS,
    prepare: openOtherWorkspaces(SILENT, ({ receiver }) => receiver.otherUrl),
    steps: [
      answer(SILENT_PATHS, () => 'silence'),
      underOtherLoad(SILENT, [pause(SILENCE_S)]),
      answer(SILENT_PATHS, well),
    ],
  },
  {
    number: 38,
    name: `the name server takes ${STALL_MS / 1_000} s for each answer`,
    healthy: STEADY,
    settings: () => ({ EGRESS_NAME_SERVERS: `127.0.0.1:${NAME_SERVER_PORT}` }),
    prepare: startNames,
    steps: [stallNames, pause(STALLED_S), nothingFailed(NAMED_PATHS), answerNames],
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
