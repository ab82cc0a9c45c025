import type { components, StreamMessage } from '@postrider/client';

/** The end of a delivery, or a failed attempt that is retried. */
export type LiveOutcome = components['schemas']['StreamedDelivery'] & { readonly key: string };

const MAX_SHOWN = 50;

/** @returns null for messages that are no outcome: a new delivery, and an attempt that ends its delivery */
export function outcomeOf(message: StreamMessage): LiveOutcome | null {
  const isOutcome =
    message.type === 'delivery.ended' ||
    (message.type === 'delivery.attempted' && message.data.status === 'failed');
  return isOutcome ? { ...message.data, key: message.id } : null;
}

/** Puts fresh outcomes, oldest first, in front of the shown ones, and drops what is too old. */
export function withFresh(
  shown: readonly LiveOutcome[],
  fresh: readonly LiveOutcome[],
): readonly LiveOutcome[] {
  return [...fresh.toReversed(), ...shown].slice(0, MAX_SHOWN);
}
