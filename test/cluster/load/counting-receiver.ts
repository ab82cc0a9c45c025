import { headersOf, type Receiver, reply, startReceiver } from '@postrider/shared/testing/receiver';

/** Counts the POSTs of each event. */
export interface CountingReceiver extends Receiver {
  /** POSTs by event id. */
  readonly posts: ReadonlyMap<string, number>;
  /** POSTs without the three headers of a signed webhook. */
  readonly unsigned: number;
}

const SIGNED = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];

export async function startCountingReceiver(host: string): Promise<CountingReceiver> {
  const posts = new Map<string, number>();
  let unsigned = 0;
  const receiver = await startReceiver(
    (request, socket) => {
      const headers = headersOf(request);
      if (SIGNED.some((name) => headers[name] === undefined)) unsigned += 1;
      const eventId = eventIdIn(request.body);
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
