import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { machineNow } from '../measure/clock.js';

/** A workspace in which events are published, with a token for it. */
export interface PublishingWorkspace {
  readonly slug: string;
  readonly token: string;
}

export interface PublishPlan<Workspace extends PublishingWorkspace> {
  /** The api process that currently serves. */
  readonly origin: () => string;
  readonly workspaces: readonly Workspace[];
  /** Each sends its next request once the previous one is answered. */
  readonly clients: number;
  readonly seconds: number;
  /** Events of one request; 1 uses the operation for single events. */
  readonly batch: number;
  readonly event: object;
  readonly signal: AbortSignal;
}

/** An event that the api has accepted. */
export interface AcceptedEvent<Workspace> {
  readonly eventId: string;
  readonly workspace: Workspace;
  /** When its first request was sent, in machine time. */
  readonly createdAt: number;
}

const RETRY_PAUSE_MS = 100;
const TIMEOUT_MS = 10_000;
/** How long a client repeats a request that the api did not answer. */
const GIVE_UP_MS = 120_000;

/**
 * Publishes as fast as the api answers, as a careful client does: a request that got no answer is repeated with the
 * same `Idempotency-Key`.
 */
export async function publishEvents<Workspace extends PublishingWorkspace>(plan: PublishPlan<Workspace>) {
  const accepted: AcceptedEvent<Workspace>[] = [];
  const latenciesMs: number[] = [];
  const refused: string[] = [];
  let retries = 0;
  let sent = 0;
  const from = machineNow();
  const until = from + plan.seconds * 1_000;
  const pools = new Map<string, Pool>();
  const poolOf = (origin: string) => {
    const pool =
      pools.get(origin) ?? new Pool(origin, { connections: plan.clients, headersTimeout: TIMEOUT_MS });
    pools.set(origin, pool);
    return pool;
  };
  const client = async () => {
    while (machineNow() < until) {
      const workspace = plan.workspaces[sent++ % plan.workspaces.length]!;
      const createdAt = machineNow();
      const send = requestOf(plan, workspace);
      let answer = await send(poolOf(plan.origin()));
      while (answer === null && machineNow() < createdAt + GIVE_UP_MS) {
        retries += 1;
        await sleep(RETRY_PAUSE_MS, undefined, { signal: plan.signal });
        answer = await send(poolOf(plan.origin()));
      }
      latenciesMs.push(machineNow() - createdAt);
      if (Array.isArray(answer))
        accepted.push(...answer.map((eventId) => ({ eventId, workspace, createdAt })));
      else refused.push(answer ?? 'no answer');
    }
  };
  try {
    await Promise.all(Array.from({ length: plan.clients }, client));
  } finally {
    await Promise.all([...pools.values()].map((pool) => pool.destroy()));
  }
  return { accepted, latenciesMs, refused, retries, span: { from, to: machineNow() } };
}

/** @returns a function that sends the request: the ids of the events, why they were refused, or null without an answer */
function requestOf(
  { batch, event, signal }: PublishPlan<PublishingWorkspace>,
  { slug, token }: PublishingWorkspace,
) {
  const body = JSON.stringify(batch === 1 ? event : { events: Array(batch).fill(event) });
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'idempotency-key': randomUUID(),
  };
  const path = `/workspaces/${slug}/events${batch === 1 ? '' : '/batch'}`;
  return async (pool: Pool): Promise<string[] | string | null> => {
    signal.throwIfAborted();
    try {
      const response = await pool.request({ method: 'POST', path, headers, body });
      const text = await response.body.text();
      // The kill may happen while the key is claimed: the claim expires by itself.
      if (response.statusCode === 503 || response.statusCode === 409) return null;
      if (response.statusCode !== 202) return `${response.statusCode} ${text.slice(0, 200)}`;
      const published = JSON.parse(text);
      return (published.events ?? [published]).map(({ eventId }: { eventId: string }) => eventId);
    } catch {
      return null;
    }
  };
}
