import type { HeldDelivery } from '@postrider/shared/domain/delivery';
import type { UnmatchedEvent } from '@postrider/shared/ports/fan-out';
import type { Piece } from './fill-chunk.js';

/**
 * The events that end with these pieces without any delivery, so that they can be distinguished from events that never happened.
 *
 * @param stored the held deliveries that are stored; others are only counted
 */
export function unmatchedEvents(
  pieces: readonly Piece[],
  stored: readonly HeldDelivery[],
): readonly UnmatchedEvent[] {
  const held = new Set(stored.map(({ row }) => row.payload));
  return pieces.flatMap(({ event, rows, isLast }) => {
    event.isMatched ||= rows.length > 0 || held.has(event.event.payload);
    if (!isLast || event.isMatched) return [];
    const { type, payload } = event.event;
    const occurredAt = new Date(payload.occurredAt);
    return [{ id: payload.eventId, workspaceId: payload.workspaceId, type, occurredAt }];
  });
}
