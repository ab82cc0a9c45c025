import { setTimeout as sleep } from 'node:timers/promises';
import { nameServer } from '@postrider/shared/testing/name-server';
import type { Answer } from '@postrider/shared/testing/receiver';
import type { Step } from '../fault.js';

const FAULT_MS = 40_000;
const ENABLE_EVERY_MS = 2_000;
/** Each endpoint must have had an attempt in this last part of the fault. */
const ACTIVE_WITHIN_MS = 10_000;

/** Enables endpoints again and again: those that fail at once are disabled within seconds. */
export function keepEnabled(kept: readonly string[]): Step {
  return async (world) => {
    const endpoints = world.endpoints.filter(({ path }) => kept.includes(path));
    const until = Date.now() + FAULT_MS;
    while (Date.now() < until) {
      await sleep(ENABLE_EVERY_MS);
      for (const { id } of endpoints) await world.client.call('PATCH', `/webhooks/${id}`, { enabled: true });
    }
    const deliveries = world.db.collection('deliveries');
    for (const { id, path } of endpoints) {
      const late = { endpointId: id, 'records.attemptedAt': { $gte: new Date(until - ACTIVE_WITHIN_MS) } };
      if ((await deliveries.findOne(late)) === null)
        throw new Error(`${path} had no attempt in the last ${ACTIVE_WITHIN_MS / 1_000} s`);
    }
  };
}

type Raw = Extract<Answer, { readonly raw: unknown }>;

export const HOSTILE: Readonly<Record<string, Raw>> = {
  '/hostile-garbage': { raw: '\u0000\u0001HELO what is this\r\n\r\n', end: true },
  '/hostile-endless-header': { raw: `HTTP/1.1 200 OK\r\nx-long: ${'a'.repeat(200_000)}` },
  '/hostile-half-status': { raw: 'HTTP/1.' },
  '/hostile-continue': { raw: 'HTTP/1.1 103 Early Hints\r\n\r\n' },
  '/hostile-wrong-length': { raw: 'HTTP/1.1 500 No\r\ncontent-length: 100000\r\n\r\nshort', end: true },
  '/hostile-bad-chunks': {
    raw: 'HTTP/1.1 500 No\r\ntransfer-encoding: chunked\r\n\r\nzz\r\nhello',
    end: true,
  },
  '/hostile-two-answers': { raw: 'HTTP/1.1 500 No\r\ncontent-length: 0\r\n\r\nHTTP/1.1 200 OK\r\n\r\n' },
  '/hostile-number': { raw: 'HTTP/1.1 999 Ha\r\ncontent-length: 0\r\n\r\n' },
};

export const NAME_SERVER_PORT = 25_353;
export const REASONS: Readonly<Record<string, string>> = {
  '/reset': 'connection_reset',
  '/moved': 'http_status',
  '/mute': 'timeout',
  '/tls': 'tls',
  '/refused': 'connection_refused',
  '/unanswered': 'dns',
  '/unnamed': 'dns',
};

export const expectReasons: Step = async ({ db, endpoints }) => {
  const deliveries = db.collection('deliveries');
  for (const { id, path } of endpoints) {
    const reason = REASONS[path];
    const stored: string[] = await deliveries.distinct('records.failureReason', { endpointId: id });
    if (reason !== undefined && !stored.includes(reason))
      throw new Error(`${path} failed with ${stored.join(', ')}, not with ${reason}`);
  }
};

/** Both queries of a lookup, and those of the next one. */
const FIRST_QUERIES = 4;

/**
 * Runs steps while a name server has no names, and soon does not reply for some of them. It replies to their first queries,
 * because a dispatcher counts nothing while no name server has responded, and may own no other endpoint with a name.
 * Afterwards it resolves all names to this machine, where connections are refused: it keeps running for the same reason.
 */
export const withNameServer =
  (...steps: readonly Step[]): Step =>
  async (world) => {
    let isOver = false;
    let queries = 0;
    await nameServer((name) => {
      if (isOver) return { addresses: ['127.0.0.1'], ttlSeconds: 1 };
      if (!name.startsWith('silent.')) return 'no such name';
      queries += 1;
      return queries > FIRST_QUERIES ? 'silence' : 'no such name';
    }, NAME_SERVER_PORT);
    try {
      for (const step of steps) await step(world);
    } finally {
      isOver = true;
    }
  };
