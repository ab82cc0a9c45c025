import { request } from 'node:http';
import { poll } from '#dev/processes/poll';
import { type Account, accountFor, callsOf, NO_ANSWER } from './account.js';
import type { CountingReceiver } from './counting-receiver.js';

/** Where and as whom events are published. */
export interface Publisher {
  /** Of the api's service. */
  readonly address: string;
  readonly workspace: string;
  readonly token: string;
}

export interface Load {
  /** Stops publishing, waits until every accepted event has arrived, and accounts for all of them. */
  stop(): Promise<Account>;
}

interface LoadPlan {
  readonly publisher: Publisher;
  readonly receiver: CountingReceiver;
  readonly perSecond: number;
}

const BATCH = 10;
const TIMEOUT_MS = 15_000;
const ARRIVAL = { everyMs: 250, timeoutMs: 180_000 };
const EVENT = {
  type: 'invoice.paid',
  data: { invoiceId: 'in_4f9k2', customer: { id: 'cus_81' }, amount: 4_200, currency: 'EUR' },
};

/** Publishes events in batches, each over a connection of its own, as clients behind a load balancer do. */
export function startLoad({ publisher, receiver, perSecond }: LoadPlan): Load {
  const body = JSON.stringify({ events: Array.from({ length: BATCH }, () => EVENT) });
  const accepted: string[] = [];
  const calls = new Set<Promise<void>>();
  const failures: string[] = [];
  let refused = 0;
  const publish = async () => {
    const answer = await post(publisher, body).catch((error: NodeJS.ErrnoException) => {
      failures.push(error.code ?? error.message);
      return null;
    });
    if (answer === null) return;
    if (answer.status !== 202) refused += 1;
    else for (const { eventId } of JSON.parse(answer.body).events) accepted.push(eventId);
  };
  const timer = setInterval(
    () => {
      const call = publish().finally(() => calls.delete(call));
      calls.add(call);
    },
    (BATCH * 1_000) / perSecond,
  );
  return {
    async stop() {
      clearInterval(timer);
      await Promise.all(calls);
      const complete = async () => (accountFor(accepted, receiver.posts).lost === 0 ? true : undefined);
      await poll(complete, { ...ARRIVAL, what: 'the arrival of every event' }).catch(() => {});
      return { ...accountFor(accepted, receiver.posts), ...callsOf(failures), refused };
    },
  };
}

function post(
  { address, workspace, token }: Publisher,
  body: string,
): Promise<{ readonly status: number; readonly body: string }> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const call = request(
      `${address}/workspaces/${workspace}/events/batch`,
      { method: 'POST', headers, agent: false, timeout: TIMEOUT_MS },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() }),
        );
      },
    );
    call.on('timeout', () => call.destroy(new Error(NO_ANSWER)));
    call.on('error', reject);
    call.end(body);
  });
}
