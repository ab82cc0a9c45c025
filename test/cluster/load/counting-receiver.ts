import { headersOf, type Receiver, reply, startReceiver } from '@postrider/shared/testing/receiver';

/** Counts the POSTs of each event. It refuses the first POST of one event in twenty, so that there are retries. */
export interface CountingReceiver extends Receiver {
  /** Accepted POSTs by event id. */
  readonly posts: ReadonlyMap<string, number>;
  /** POSTs without the three headers of a signed webhook. */
  readonly unsigned: number;
}

const REFUSED_EVERY = 20;
const SIGNED = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];

export async function startCountingReceiver(host: string): Promise<CountingReceiver> {
  const posts = new Map<string, number>();
  const events = new Set<string>();
  const refuses = (eventId: string) => {
    const count = events.size;
    events.add(eventId);
    return events.size > count && events.size % REFUSED_EVERY === 0;
  };
  let unsigned = 0;
  const receiver = await startReceiver(
    (request, socket) => {
      const headers = headersOf(request);
      if (SIGNED.some((name) => headers[name] === undefined)) unsigned += 1;
      const eventId = eventIdIn(request.body);
      if (eventId !== null && refuses(eventId)) return reply(socket, { status: 503 });
      if (eventId !== null) posts.set(eventId, (posts.get(eventId) ?? 0) + 1);
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

function eventIdIn(body: Buffer): string | null {
  try {
    return JSON.parse(body.toString()).payload?.eventId ?? null;
  } catch {
    return null;
  }
}
