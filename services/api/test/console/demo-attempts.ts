import type { Delivery } from '@postrider/shared/domain/delivery';
import type { RecordDocument } from '@postrider/shared/mongo/collections';

const RETRY_MS = [0, 5_000, 30_000, 120_000] as const;

/** The attempts that fit the status of a delivery: one for a delivered one, several for one that fails. */
export function demoAttempts(
  delivery: Delivery,
  { n, isSlow }: { readonly n: number; readonly isSlow: boolean },
): readonly RecordDocument[] {
  if (delivery.status === 'pending') return [];
  if (delivery.status === 'delivered') return [attempt(delivery, { ordinal: 1, delivered: true, n, isSlow })];
  if (delivery.status === 'failed_permanent')
    return [attempt(delivery, { ordinal: 1, delivered: false, n, isSlow })];
  return RETRY_MS.map((_, index) =>
    attempt(delivery, { ordinal: index + 1, delivered: false, n: n + index, isSlow }),
  );
}

interface Facts {
  readonly ordinal: number;
  readonly delivered: boolean;
  readonly n: number;
  readonly isSlow: boolean;
}

function attempt({ id, createdAt }: Delivery, { ordinal, delivered, n, isSlow }: Facts): RecordDocument {
  const timedOut = !delivered && n % 4 === 3;
  const headersMs = timedOut ? null : (isSlow ? 640 : 18) + ((n * 37) % 160) * (isSlow ? 6 : 1);
  const timings = { connectMs: n % 2 === 0 ? 12.4 : 0, headersMs, bodyMs: timedOut ? null : 1.3 };
  const attemptedAt = new Date(createdAt.getTime() + (RETRY_MS[ordinal - 1] ?? 0) + 40);
  return {
    ordinal,
    status: delivered ? 'delivered' : 'failed',
    httpStatus: delivered ? 200 : timedOut ? null : 503,
    failureReason: delivered ? null : timedOut ? 'timeout' : 'http_status',
    attemptedAt,
    durationMs: timedOut ? 1_500 : timings.connectMs + (headersMs ?? 0) + 1.3,
    requestHeaders: {
      'content-type': 'application/json',
      'user-agent': 'Postrider/0.1.0',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(attemptedAt.getTime() / 1_000)),
      'webhook-signature': 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
    },
    responseBody: delivered ? '{"ok":true}' : timedOut ? null : 'upstream database is down',
    timings,
    remoteAddress: '203.0.113.7',
    streak: null,
  };
}
