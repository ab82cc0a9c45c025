import { poll } from '#dev/processes/poll';
import { type Account, accountFor, callsOf } from './account.js';
import type { CountingReceiver } from './counting-receiver.js';
import { post } from './post.js';
import type { Source } from './sources.js';

/** Where and as whom events are published. */
export interface Publisher {
  /** Of the api's service. */
  readonly address: string;
  readonly workspace: string;
  readonly token: string;
  readonly endpointId: string;
}

export interface Load {
  /** Stops publishing, waits until every accepted event has arrived, and accounts for all of them. */
  stop(): Promise<Account>;
}

interface LoadPlan {
  readonly publisher: Publisher;
  readonly receiver: CountingReceiver;
  readonly sources: readonly Source[];
}

const ARRIVAL = { everyMs: 250, timeoutMs: 180_000 };

/** Makes the calls of each source at its rate. */
export function startLoad({ publisher, receiver, sources }: LoadPlan): Load {
  const accepted: string[] = [];
  const calls = new Set<Promise<void>>();
  const failures: string[] = [];
  let refused = 0;
  const publish = async (source: Source) => {
    const answer = await post(publisher, source).catch((error: NodeJS.ErrnoException) => {
      failures.push(error.code ?? error.message);
      return null;
    });
    if (answer === null) return;
    if (answer.status !== source.status) refused += 1;
    else accepted.push(...source.idsIn(JSON.parse(answer.body)));
  };
  const timers = sources.map((source) =>
    setInterval(() => {
      const call = publish(source).finally(() => calls.delete(call));
      calls.add(call);
    }, source.everyMs),
  );
  return {
    async stop() {
      for (const timer of timers) clearInterval(timer);
      await Promise.all(calls);
      const complete = async () => (accountFor(accepted, receiver.posts).lost === 0 ? true : undefined);
      await poll(complete, { ...ARRIVAL, what: 'the arrival of every event' }).catch(() => {});
      return { ...accountFor(accepted, receiver.posts), ...callsOf(failures), refused };
    },
  };
}
