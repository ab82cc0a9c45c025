import { headersOf, type Receiver, reply, startReceiver } from '@postrider/shared/testing/receiver';
import { deliveryTo } from './account.js';

/** Counts the POSTs of each delivery. It refuses the first POST of one delivery in twenty, so that there are retries. */
export interface CountingReceiver extends Receiver {
  /** Accepted POSTs by the path of their endpoint with the id of the event, and with that of the token that it is about. */
  readonly posts: ReadonlyMap<string, number>;
  /** POSTs without the three headers of a signed webhook. */
  readonly unsigned: number;
}

const REFUSED_EVERY = 20;
const SIGNED = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];

export async function startCountingReceiver(host: string): Promise<CountingReceiver> {
  const posts = new Map<string, number>();
  const deliveries = new Set<string>();
  const refuses = (delivery: string) => {
    const count = deliveries.size;
    deliveries.add(delivery);
    return deliveries.size > count && deliveries.size % REFUSED_EVERY === 0;
  };
  let unsigned = 0;
  const receiver = await startReceiver(
    (request, socket) => {
      const headers = headersOf(request);
      if (SIGNED.some((name) => headers[name] === undefined)) unsigned += 1;
      const delivery = headers['webhook-id'];
      if (delivery !== undefined && refuses(delivery)) return reply(socket, { status: 503 });
      for (const id of idsIn(request.body)) {
        const key = deliveryTo(request.path, id);
        posts.set(key, (posts.get(key) ?? 0) + 1);
      }
      reply(socket, { status: 200 });
    },
    { host },
  );
  return {
    ...receiver,
    posts,
    get unsigned() {
      return unsigned;
    },
  };
}

/** The event, and the token that it is about. */
function idsIn(body: Buffer): string[] {
  try {
    const { payload } = JSON.parse(body.toString()) as { payload?: { eventId?: string; tokenId?: string } };
    return [payload?.eventId, payload?.tokenId].filter((id) => id !== undefined);
  } catch {
    return [];
  }
}
