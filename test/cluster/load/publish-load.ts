import { poll } from '#dev/processes/poll';
import { type Account, accountFor, callsOf, deliveryTo } from './account.js';
import type { CountingReceiver } from './counting-receiver.js';
import { post } from './post.js';
import type { Source } from './sources.js';

/** Where and as whom events are published. */
export interface Publisher {
  /** Of the api's service. */
  readonly address: string;
  readonly workspace: string;
  readonly token: string;
  /** The paths of the endpoints, of which each gets every event. */
  readonly paths: readonly string[];
}

export interface Load {
  /** Stops publishing, waits until every delivery of accepted events has arrived, and accounts for all of them. */
  stop(): Promise<Account>;
}

interface LoadPlan {
  readonly publisher: Publisher;
  readonly receiver: CountingReceiver;
  readonly source: Source;
  readonly callsPerSecond: number;
}

const ARRIVAL = { everyMs: 250, timeoutMs: 180_000 };

/** The deliveries that an accepted call leads to. */
export const deliveriesOf = ({ paths }: Publisher, source: Source, answer: string): string[] =>
  source.idsIn(JSON.parse(answer)).flatMap((id) => paths.map((path) => deliveryTo(path, id)));

/** Makes calls at a steady rate, however long each takes. */
export function startLoad({ publisher, receiver, source, callsPerSecond }: LoadPlan): Load {
  const accepted: string[] = [];
  const calls = new Set<Promise<void>>();
  const failures: string[] = [];
  let acceptedCalls = 0;
  let refused = 0;
  const publish = async () => {
    const answer = await post(publisher, source).catch((error: NodeJS.ErrnoException) => {
      failures.push(error.code ?? error.message);
      return null;
    });
    if (answer === null) return;
    if (answer.status !== source.status) refused += 1;
    else {
      acceptedCalls += 1;
      accepted.push(...deliveriesOf(publisher, source, answer.body));
    }
  };
  const timer = setInterval(() => {
    const call = publish().finally(() => calls.delete(call));
    calls.add(call);
  }, 1_000 / callsPerSecond);
  return {
    async stop() {
      clearInterval(timer);
      await Promise.all(calls);
      const complete = async () => (accountFor(accepted, receiver.posts).lost === 0 ? true : undefined);
      await poll(complete, { ...ARRIVAL, what: 'the arrival of every delivery' }).catch(() => {});
      const arrived = accountFor(accepted, receiver.posts);
      return { ...arrived, ...callsOf(failures), calls: acceptedCalls, refused };
    },
  };
}
