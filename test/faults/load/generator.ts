import type { AcceptedEvent } from '../oracle/evidence.js';
import type { ApiClient } from './api-client.js';

/** A call that creates an event if it is accepted. */
export interface Call {
  readonly answeredAt: number;
  readonly accepted: boolean;
}

export interface LoadPlan {
  /** Calls per second that create an event. */
  readonly rate: number;
  /** One in this many calls is accompanied by `otherCall`. */
  readonly otherCallEvery: number;
  readonly otherCall: () => Promise<void>;
}

/** Creates events through the REST API and records the accepted ones. */
export interface Generator {
  readonly accepted: readonly AcceptedEvent[];
  /** All calls that were answered or timed out. */
  readonly calls: readonly Call[];
  start(plan: LoadPlan): void;
  /** Makes this many more calls, as fast as they are answered. */
  burst(count: number): Promise<void>;
  /** Resolves when no call is in progress. */
  stop(): Promise<void>;
}

/** Maximum number of calls in progress: an api that does not answer gets no further calls. */
const MAX_CALLS = 16;
/** Each event has its number in the name of the created token. */
const NAME = /"name":"load (\d+)"/;

/** @returns the number of the event that a body contains, or null */
export function numberIn(body: string): number | null {
  const found = NAME.exec(body);
  return found === null ? null : Number(found[1]);
}

export function createGenerator(client: ApiClient): Generator {
  const accepted: AcceptedEvent[] = [];
  const calls: Call[] = [];
  const inProgress = new Set<Promise<void>>();
  let timer: NodeJS.Timeout | undefined;
  let count = 0;
  const callOnce = async () => {
    count += 1;
    const sentAt = Date.now();
    const input = { name: `load ${count}`, scopes: ['workspace:read'] };
    const token = await client.call<{ id: string }>('POST', '/api-tokens', input);
    const answeredAt = Date.now();
    calls.push({ answeredAt, accepted: token !== null });
    if (token !== null) accepted.push({ tokenId: token.id, sentAt, answeredAt });
  };
  const track = (call: Promise<void>) => {
    inProgress.add(call);
    void call.finally(() => inProgress.delete(call));
  };
  return {
    accepted,
    calls,
    start({ rate, otherCallEvery, otherCall }) {
      timer = setInterval(() => {
        if (inProgress.size >= MAX_CALLS) return;
        track(callOnce());
        // Reading what to replay fails while the database is unavailable.
        if (count % otherCallEvery === 0) track(otherCall().catch(() => {}));
      }, 1_000 / rate);
    },
    async burst(more) {
      const end = count + more;
      const callUntilEnd = async () => {
        while (count < end) await callOnce();
      };
      await Promise.all(Array.from({ length: MAX_CALLS }, callUntilEnd));
    },
    async stop() {
      clearInterval(timer);
      await Promise.all(inProgress);
    },
  };
}
