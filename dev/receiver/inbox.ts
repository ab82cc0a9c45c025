/** One webhook as it arrived. */
export interface Received {
  /** The `webhook-id`, the same for every attempt of one delivery. */
  readonly id: string | null;
  readonly eventType: string | null;
  readonly verified: boolean;
  /** It was accepted before: a correct receiver acknowledges it and does nothing. */
  readonly duplicate: boolean;
  readonly headers: Readonly<Record<string, string>>;
  /** The status of the response. */
  readonly status: number;
  /** When it arrived, RFC 3339. */
  readonly at: string;
}

/** The latest webhooks, in bounded memory. */
export interface Inbox {
  /** Whether a webhook with this id was accepted (answered 2xx) before. */
  hasAccepted(id: string): boolean;
  add(received: Received): void;
  /** Oldest first. */
  list(): readonly Received[];
}

/** Forgets the oldest beyond `capacity` webhooks, and beyond ten times as many ids. */
export function createInbox(capacity: number): Inbox {
  const received: Received[] = [];
  const accepted = new Set<string>();
  return {
    hasAccepted: (id) => accepted.has(id),
    add: (one) => {
      received.push(one);
      if (received.length > capacity) received.shift();
      if (one.id !== null && one.verified && one.status < 300) accepted.add(one.id);
      const [oldest] = accepted;
      if (accepted.size > capacity * 10 && oldest !== undefined) accepted.delete(oldest);
    },
    list: () => [...received],
  };
}

/** One line about a webhook for the terminal. */
export function describeReceived({ at, eventType, id, verified, duplicate, status }: Received): string {
  const clock = at.slice(11, 23);
  const signature = verified ? 'verified ✓' : 'signature ✗';
  const again = duplicate ? ' (seen before)' : '';
  // The end of an id, where ids of the same second differ.
  const shortId = id === null ? 'no webhook-id' : id.replace(/^.+(?=.{6}$)/, '…');
  return `${clock}  ${eventType ?? 'no event type'}  ${shortId}  ${signature}${again}  answered ${status}`;
}
