import type { components, StreamMessage } from '@postrider/client';

/** The end of a delivery or a failed attempt that is retried, or a place where outcomes may be missing. */
export type LiveLine =
  | {
      readonly kind: 'outcome';
      readonly key: string;
      readonly delivery: components['schemas']['StreamedDelivery'];
    }
  | { readonly kind: 'gap'; readonly key: string };

const MAX_SHOWN = 50;

/**
 * @param number distinguishes the message from others without an id
 * @returns null for messages that are no outcome: a new delivery, and an attempt that ends its delivery
 */
export function lineOf(message: StreamMessage, number: number): LiveLine | null {
  if (message.type === 'reset') return { kind: 'gap', key: `gap ${number}` };
  const isOutcome =
    message.type === 'delivery.ended' ||
    (message.type === 'delivery.attempted' && message.data.status === 'failed');
  return isOutcome ? { kind: 'outcome', key: message.id, delivery: message.data } : null;
}

/** Puts fresh lines, oldest first, in front of the shown ones, and drops what is too old. Adjacent gaps become one. */
export function withFresh(shown: readonly LiveLine[], fresh: readonly LiveLine[]): readonly LiveLine[] {
  return [...fresh.toReversed(), ...shown]
    .filter(({ kind }, index, all) => kind !== 'gap' || all[index + 1]?.kind !== 'gap')
    .slice(0, MAX_SHOWN);
}
