import type { AcceptedEvent } from '../oracle/evidence.js';
import type { ApiClient } from './api-client.js';

/** A call that was to make an event. */
export interface Call {
  readonly answeredAt: number;
  readonly accepted: boolean;
}

/** What a load is made of. */
export interface Mixture {
  /** Calls a second that make an event. */
  readonly perSecond: number;
  /** One call in so many is made beside them. */
  readonly asideEvery: number;
  readonly aside: () => Promise<void>;
}

/** Makes events through the REST API at a rate, and logs those that were accepted. */
export interface Generator {
  readonly accepted: readonly AcceptedEvent[];
  /** All that were answered or given up. */
  readonly calls: readonly Call[];
  start(mixture: Mixture): void;
  /** Makes so many more, as fast as they are answered. */
  burst(count: number): Promise<void>;
  /** Resolves when no call is under way. */
  stop(): Promise<void>;
}

/** Calls under way at most: an api that hangs is not called faster and faster. */
const MOST_CALLS = 16;

/** Events tell their number by the name of what they are about. */
const nameOf = (number: number) => `load ${number}`;
const NAME = /"name":"load (\d+)"/;

/** @returns the number of the event that a body tells of; null when it tells of none */
export function numberIn(body: string): number | null {
  const found = NAME.exec(body);
  return found === null ? null : Number(found[1]);
}

export function generator(client: ApiClient): Generator {
  const accepted: AcceptedEvent[] = [];
  const calls: Call[] = [];
  const underWay = new Set<Promise<void>>();
  let timer: NodeJS.Timeout | null = null;
  let made = 0;
  const make = async () => {
    made += 1;
    const sentAt = Date.now();
    const input = { name: nameOf(made), scopes: ['workspace:read'] };
    const token = await client.call<{ id: string }>('POST', '/api-tokens', input);
    const answeredAt = Date.now();
    calls.push({ answeredAt, accepted: token !== null });
    if (token !== null) accepted.push({ tokenId: token.id, sentAt, answeredAt });
  };
  const begin = (task: Promise<void>) => {
    underWay.add(task);
    void task.finally(() => underWay.delete(task));
  };
  return {
    accepted,
    calls,
    start({ perSecond, asideEvery, aside }) {
      timer = setInterval(() => {
        if (underWay.size >= MOST_CALLS) return;
        begin(make());
        // What is to be repeated cannot be read while the database is away.
        if (made % asideEvery === 0) begin(aside().catch(() => {}));
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
      await Promise.all(underWay);
    },
  };
}
