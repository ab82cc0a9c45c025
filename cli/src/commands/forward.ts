import { explainFetchError, Webhook } from '@postrider/client';

/** A request to a local receiver. */
export interface ToForward {
  /** The `webhook-id`: the delivery, or the event where there is no delivery. */
  readonly id: string;
  readonly eventType: string;
  readonly payload: unknown;
}

export interface Forwarded {
  readonly id: string;
  readonly eventType: string;
  /** Null if there was no response. */
  readonly httpStatus: number | null;
  readonly durationMs: number;
  /** Why there was no response; null if there was one. */
  readonly problem: string | null;
}

interface ForwardParts {
  readonly url: string;
  readonly secret: string;
  readonly now: () => Date;
}

/** The deadline of a delivery. */
const DEADLINE_MS = 10_000;

/** Sends an event to a local receiver in the format of a delivery, signed. Never rejects. */
export function createForward({ url, secret, now }: ForwardParts) {
  const webhook = new Webhook(secret);
  return async ({ id, eventType, payload }: ToForward): Promise<Forwarded> => {
    const at = now();
    const body = JSON.stringify({ deliveryId: id, eventType, payload });
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'Postrider/listen',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': webhook.sign(id, at, body),
    };
    const startedAt = performance.now();
    const passed = () => Math.round(performance.now() - startedAt);
    try {
      const signal = AbortSignal.timeout(DEADLINE_MS);
      const response = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'manual' });
      await response.body?.cancel();
      return { id, eventType, httpStatus: response.status, durationMs: passed(), problem: null };
    } catch (error) {
      const problem = explainFetchError(error as Error);
      return { id, eventType, httpStatus: null, durationMs: passed(), problem };
    }
  };
}
