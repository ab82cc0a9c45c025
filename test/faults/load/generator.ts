import type { AcceptedEvent } from '../oracle/evidence.js';
import type { ApiClient } from './api-client.js';

/** Makes events through the REST API at a rate, and logs those that were accepted. */
export interface Generator {
  readonly accepted: readonly AcceptedEvent[];
  start(perSecond: number): void;
  /** Makes so many more, as fast as they are answered. */
  burst(count: number): Promise<void>;
  /** Resolves when no call is under way. */
  stop(): Promise<void>;
}

/** Calls under way at most: an api that hangs is not called faster and faster. */
const MOST_CALLS = 16;

export function generator(client: ApiClient): Generator {
  const accepted: AcceptedEvent[] = [];
  const calls = new Set<Promise<void>>();
  let timer: NodeJS.Timeout | null = null;
  let made = 0;
  const make = async () => {
    made += 1;
    const sentAt = Date.now();
    const input = { name: `load ${made}`, scopes: ['workspace:read'] };
    const token = await client.call<{ id: string }>('POST', '/api-tokens', input);
    if (token !== null) accepted.push({ tokenId: token.id, sentAt, answeredAt: Date.now() });
  };
  return {
    accepted,
    start(perSecond) {
      timer = setInterval(() => {
        if (calls.size >= MOST_CALLS) return;
        const call = make();
        calls.add(call);
        void call.finally(() => calls.delete(call));
      }, 1_000 / perSecond);
    },
    async burst(count) {
      let left = count;
      const makeSome = async () => {
        for (; left > 0; left -= 1) await make();
      };
      await Promise.all(Array.from({ length: MOST_CALLS }, makeSome));
    },
    async stop() {
      if (timer !== null) clearInterval(timer);
      timer = null;
      await Promise.all(calls);
    },
  };
}
