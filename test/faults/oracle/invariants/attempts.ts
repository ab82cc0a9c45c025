import { attemptsByDelivery, type Invariant, isBookkeeping } from '../evidence.js';

const MOST_ATTEMPTS = 7;

/** I2: an event has one row for an endpoint; every other one is a replay that somebody asked for. */
export const eventsHaveOneRow: Invariant = ({ now }) => {
  const ofEvents = [...now.rows.values()].filter(
    ({ tokenId, replayedFrom }) => tokenId !== null && replayedFrom === null,
  );
  const groups = Map.groupBy(
    ofEvents,
    ({ eventType, tokenId, endpointId }) => `${eventType} of ${tokenId} for ${endpointId}`,
  );
  return [...groups]
    .filter(([, rows]) => rows.length > 1)
    .map(([what, rows]) => `${what} has the rows ${rows.map(({ id }) => id).join(', ')}`);
};

/**
 * I2: one record per attempt, their ordinals without a gap, at most seven attempts and one record that ends the
 * delivery without one. A record never changes, and goes only with its delivery.
 */
export const attemptsAreImmutable: Invariant = ({ now, before }) => {
  const wrong: string[] = [];
  for (const [deliveryId, attempts] of attemptsByDelivery(now)) {
    if (!now.rows.has(deliveryId)) wrong.push(`${deliveryId} is gone, but its attempts are there`);
    if (attempts.some(({ ordinal }, index) => ordinal !== index + 1))
      wrong.push(`${deliveryId} has the ordinals ${attempts.map(({ ordinal }) => ordinal).join(', ')}`);
    const ends = attempts.filter(isBookkeeping);
    if (attempts.length - ends.length > MOST_ATTEMPTS)
      wrong.push(`${deliveryId} has ${attempts.length} attempts`);
    if (ends.length > 1 || (ends.length === 1 && ends[0] !== attempts.at(-1)))
      wrong.push(`${deliveryId} was ended more than once, or goes on after its end`);
  }
  for (const [id, { hash, deliveryId }] of before?.attempts ?? []) {
    const kept = now.attempts.get(id);
    if (kept === undefined && now.rows.has(deliveryId)) wrong.push(`the attempt ${id} has gone`);
    if (kept !== undefined && kept.hash !== hash) wrong.push(`the attempt ${id} was changed`);
  }
  return wrong;
};
