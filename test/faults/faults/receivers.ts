import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { nameServer } from '@postrider/shared/testing/name-server';
import type { Answer } from '@postrider/shared/testing/receiver';
import type { Fault } from '../fault.js';
import { openEndpoint, STEADY } from '../load/population.js';
import { OK } from '../load/receiver.js';
import type { World } from '../world/world.js';

const FOR_MS = 40_000;
const ENABLE_EVERY_MS = 2_000;
const STILL_MS = 10_000;
const SIBLINGS = Array.from({ length: 13 }, (_, index) => `/sibling-${index + 1}`);

/** Opens endpoints that are well for now. */
async function openWell(world: World, paths: readonly string[], origin = world.receiver.url): Promise<void> {
  for (const path of paths)
    world.endpoints.push(await openEndpoint(world, path, () => OK, `${origin}${path}`));
}

/** From now on these endpoints answer so. */
function fallIll(world: World, answers: Readonly<Record<string, Answer>>): void {
  for (const [path, answer] of Object.entries(answers)) world.receiver.behave(path, () => answer);
}

/**
 * Lets the fault go on for its time: endpoints that fail at once are disabled after seconds, and an operator who knows
 * no better enables them again and again.
 *
 * @throws Error when one was not asked any more at the end
 */
async function keepEnabled(world: World, paths: readonly string[]): Promise<void> {
  const until = Date.now() + FOR_MS;
  while (Date.now() < until) {
    await wait(ENABLE_EVERY_MS);
    for (const { id, path } of world.endpoints)
      if (paths.includes(path)) await world.client.call('PATCH', `/webhooks/${id}`, { enabled: true });
  }
  const attempted = world.db.collection('delivery_attempts');
  for (const { id, path } of world.endpoints) {
    const late = { endpointId: id, attemptedAt: { $gte: new Date(until - STILL_MS) } };
    if (paths.includes(path) && (await attempted.findOne(late)) === null)
      throw new Error(`${path} was not tried any more in the last ${STILL_MS / 1_000} s`);
  }
}

/** @throws Error when an endpoint did not fail in the way that it should */
async function expectReasons(world: World, expected: Readonly<Record<string, string>>): Promise<void> {
  const attempted = world.db.collection('delivery_attempts');
  for (const { id, path } of world.endpoints) {
    const failureReason = expected[path];
    if (failureReason === undefined) continue;
    const seen = await attempted.distinct('failureReason', { endpointId: id });
    if (!seen.includes(failureReason))
      throw new Error(`${path} did not fail with ${failureReason}, but with ${seen.join(', ')}`);
  }
}

/** What no client wants to read. Null: whatever its bytes, no status that counts. */
const HOSTILE: Readonly<Record<string, { readonly raw: string; readonly end?: boolean }>> = {
  '/hostile-garbage': { raw: '\u0000\u0001HELO what is this\r\n\r\n', end: true },
  '/hostile-endless-header': { raw: `HTTP/1.1 200 OK\r\nx-long: ${'a'.repeat(200_000)}` },
  '/hostile-half-status': { raw: 'HTTP/1.' },
  '/hostile-continue': { raw: 'HTTP/1.1 103 Early Hints\r\n\r\n' },
  '/hostile-lies-about-length': { raw: 'HTTP/1.1 500 No\r\ncontent-length: 100000\r\n\r\nshort', end: true },
  '/hostile-bad-chunks': {
    raw: 'HTTP/1.1 500 No\r\ntransfer-encoding: chunked\r\n\r\nzz\r\nhello',
    end: true,
  },
  '/hostile-two-answers': { raw: 'HTTP/1.1 500 No\r\ncontent-length: 0\r\n\r\nHTTP/1.1 200 OK\r\n\r\n' },
  '/hostile-number': { raw: 'HTTP/1.1 999 Ha\r\ncontent-length: 0\r\n\r\n' },
};

const NAME_SERVER_PORT = 25_353;
/** Nobody knows a name, and some are not answered for. */
const answerFor = (name: string) => (name.startsWith('silent.') ? 'silence' : 'no such name');
/** How endpoints fail here, and what is to be stored of it. */
const UNREACHABLE = {
  '/reset': 'connection_reset',
  '/moved': 'http_status',
  '/mute': 'timeout',
  '/tls': 'tls',
  '/refused': 'connection_refused',
  '/unanswered': 'dns',
  '/unnamed': 'dns',
} as const;

export const RECEIVERS: readonly Fault[] = [
  {
    number: 14,
    name: 'one endpoint of twenty takes requests and never answers',
    quick: true,
    healthy: STEADY,
    overloaded: ['/black-hole'],
    prepare: (world) => openWell(world, ['/black-hole', ...SIBLINGS]),
    async run(world) {
      fallIll(world, { '/black-hole': 'silence' });
      await wait(FOR_MS);
    },
  },
  {
    number: 15,
    name: `${Object.keys(HOSTILE).length} hostile receivers that break HTTP in as many ways`,
    quick: false,
    healthy: STEADY,
    overloaded: Object.keys(HOSTILE).filter((path) => HOSTILE[path]?.end !== true),
    // A server that keeps a connection and never answers on it again harms whoever else is behind it.
    prepare: (world) => openWell(world, Object.keys(HOSTILE), world.receiver.otherUrl),
    async run(world) {
      fallIll(world, HOSTILE);
      await keepEnabled(world, Object.keys(HOSTILE));
    },
  },
  {
    number: 16,
    name: 'an endpoint that answers well, but takes a tenth of what it gets',
    quick: false,
    rate: 20,
    healthy: STEADY,
    overloaded: ['/slow'],
    prepare: (world) => openWell(world, ['/slow']),
    async run(world) {
      fallIll(world, { '/slow': { ...OK, delayMs: 2_000 } });
      await wait(FOR_MS);
      fallIll(world, { '/slow': OK });
    },
  },
  {
    number: 17,
    name: 'resets, refused connections, TLS errors, time-outs, names that nobody knows or answers for, redirects',
    quick: false,
    healthy: STEADY,
    overloaded: ['/mute'],
    settings: () => ({
      EGRESS_ALLOW_HOSTS: 'silent.faults.test,missing.faults.test',
      BENCH_NAME_SERVER: `127.0.0.1:${NAME_SERVER_PORT}`,
    }),
    nodeArgs: [
      '--import',
      fileURLToPath(new URL('../../../../bench/dist/processes/use-name-server.js', import.meta.url)),
    ],
    prepare: (world) => openWell(world, ['/reset', '/moved', '/mute']),
    async run(world) {
      const names = await nameServer(answerFor, NAME_SERVER_PORT);
      try {
        fallIll(world, {
          '/reset': 'reset',
          '/moved': { status: 302 },
          '/mute': 'silence',
        });
        const open = async (path: string, url: string) => {
          world.endpoints.push(await openEndpoint(world, path, () => OK, url));
        };
        await open('/tls', `${world.receiver.url.replace('http:', 'https:')}/tls`);
        await open('/refused', 'http://127.0.0.1:9/refused');
        await open('/unanswered', 'http://silent.faults.test/unanswered');
        await open('/unnamed', 'http://missing.faults.test/unnamed');
        await keepEnabled(world, Object.keys(UNREACHABLE));
        fallIll(world, { '/mute': OK });
      } finally {
        await names.close();
      }
      await expectReasons(world, UNREACHABLE);
    },
  },
];
