import { createSocket } from 'node:dgram';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Fault } from '../fault.js';
import { openEndpoint, STEADY } from '../load/population.js';
import { type Answer, OK } from '../load/receiver.js';
import type { World } from '../world/world.js';

const FOR_MS = 40_000;
const SIBLINGS = Array.from({ length: 13 }, (_, index) => `/sibling-${index + 1}`);

/** Opens endpoints that are well for now. */
async function openWell(world: World, paths: readonly string[]): Promise<void> {
  for (const path of paths) world.endpoints.push(await openEndpoint(world, path, () => OK));
}

/** From now on these endpoints answer so. */
function fallIll(world: World, answers: Readonly<Record<string, Answer>>): void {
  for (const [path, answer] of Object.entries(answers)) world.receiver.behave(path, () => answer);
}

const raw = (text: string, then: 'hang up' | 'stay'): Answer => ({ kind: 'raw', text, then });

/** What no client wants to read. Null: whatever its bytes, no status that counts. */
const HOSTILE: Readonly<Record<string, Answer>> = {
  '/hostile-garbage': raw('\u0000\u0001HELO what is this\r\n\r\n', 'hang up'),
  '/hostile-endless-header': raw(`HTTP/1.1 200 OK\r\nx-long: ${'a'.repeat(200_000)}`, 'stay'),
  '/hostile-half-status': raw('HTTP/1.', 'stay'),
  '/hostile-continue': raw('HTTP/1.1 103 Early Hints\r\n\r\n', 'stay'),
  '/hostile-lies-about-length': raw('HTTP/1.1 500 No\r\ncontent-length: 100000\r\n\r\nshort', 'hang up'),
  '/hostile-bad-chunks': raw('HTTP/1.1 500 No\r\ntransfer-encoding: chunked\r\n\r\nzz\r\nhello', 'hang up'),
  '/hostile-two-answers': raw('HTTP/1.1 500 No\r\ncontent-length: 0\r\n\r\nHTTP/1.1 200 OK\r\n\r\n', 'stay'),
  '/hostile-number': raw('HTTP/1.1 999 Ha\r\ncontent-length: 0\r\n\r\n', 'stay'),
};

const nameServer = createSocket('udp4');

export const RECEIVERS: readonly Fault[] = [
  {
    number: 14,
    name: 'one endpoint of twenty takes requests and never answers',
    quick: true,
    healthy: STEADY,
    prepare: (world) => openWell(world, ['/black-hole', ...SIBLINGS]),
    async run(world) {
      fallIll(world, { '/black-hole': { kind: 'silence' } });
      await wait(FOR_MS);
    },
  },
  {
    number: 15,
    name: `${Object.keys(HOSTILE).length} hostile receivers that break HTTP in as many ways`,
    quick: false,
    healthy: STEADY,
    prepare: (world) => openWell(world, Object.keys(HOSTILE)),
    async run(world) {
      fallIll(world, HOSTILE);
      await wait(FOR_MS);
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
      fallIll(world, { '/slow': { ...OK, afterMs: 2_000 } });
      await wait(FOR_MS);
      fallIll(world, { '/slow': OK });
    },
  },
  {
    number: 17,
    name: 'resets, refused connections, TLS errors, name servers that say nothing, redirects',
    quick: false,
    healthy: STEADY,
    settings: () => ({ EGRESS_ALLOW_HOSTS: 'silent.faults.test', BENCH_NAME_SERVER: '127.0.0.1:25353' }),
    nodeArgs: [
      '--import',
      fileURLToPath(new URL('../../../../bench/dist/dead-names/use-name-server.js', import.meta.url)),
    ],
    async prepare(world) {
      nameServer.bind(25_353, '127.0.0.1').unref();
      await openWell(world, ['/reset', '/moved']);
    },
    async run(world) {
      fallIll(world, { '/reset': { kind: 'hang-up' }, '/moved': { kind: 'status', status: 302 } });
      const open = (path: string, url: string) => openEndpoint(world, path, () => OK, url);
      await open('/tls', `${world.receiver.url.replace('http:', 'https:')}/tls`);
      await open('/refused', 'http://127.0.0.1:9/refused');
      await open('/unnamed', 'http://silent.faults.test/unnamed');
      await wait(FOR_MS);
      nameServer.close();
    },
  },
];
