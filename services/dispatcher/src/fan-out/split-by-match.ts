import type { HeldDelivery } from '@postrider/shared/domain/delivery';
import type { UnmatchedEvent } from '@postrider/shared/ports/fan-out';
import type { Piece } from './fill-chunk.js';
import type { OpenEvent } from './open-event.js';

/**
 * Finds the events with a delivery in these pieces, and those that end with them without any delivery, so that they can be
 * distinguished from events that never happened. An event with a subscriber that is damaged has not ended.
 *
 * @param stored the held deliveries that are stored; others are only counted
 */
export function splitByMatch(
  pieces: readonly Piece[],
  stored: readonly HeldDelivery[],
): { readonly matched: readonly OpenEvent[]; readonly unmatched: readonly UnmatchedEvent[] } {
  const held = new Set(stored.map(({ row }) => row.payload));
  const hasDelivery = ({ event, rows }: Piece) => rows.length > 0 || held.has(event.event.payload);
  const hasEnded = ({ event, isLast }: Piece) => isLast && event.completion.damaged === null;
  const ends = pieces.filter((piece) => hasEnded(piece) && !piece.event.isMatched && !hasDelivery(piece));
  return {
    matched: pieces.filter(hasDelivery).map(({ event }) => event),
    unmatched: ends.map(({ event: { event } }) => unmatchedEvent(event)),
  };
}

function unmatchedEvent({ type, payload }: OpenEvent['event']): UnmatchedEvent {
  const occurredAt = new Date(payload.occurredAt);
  return { eventId: payload.eventId, workspaceId: payload.workspaceId, type, occurredAt };
}
