import { attemptsByDelivery, type Invariant, isBookkeeping, MAX_ATTEMPTS } from '../evidence.js';

/** I2: an event has one delivery per endpoint; every other one is a replay. */
export const eventsHaveOneDelivery: Invariant = ({ now }) => {
  const original = [...now.deliveries.values()].filter(
    ({ tokenId, replayedFrom }) => tokenId !== null && replayedFrom === null,
  );
  const groups = Map.groupBy(original, (row) => `${row.eventType} of ${row.tokenId} for ${row.endpointId}`);
  return [...groups]
    .filter(([, rows]) => rows.length > 1)
    .map(([what, rows]) => `${what} has the deliveries ${rows.map(({ id }) => id).join(', ')}`);
};

/**
 * I2: one record per attempt, consecutive ordinals, at most seven attempts and one bookkeeping record, which is the
 * last. A record never changes, and is removed only with its delivery.
 */
export const attemptRecordsAreImmutable: Invariant = ({ now, before }) => {
  const wrong: string[] = [];
  for (const [deliveryId, attempts] of attemptsByDelivery(now)) {
    if (!now.deliveries.has(deliveryId)) wrong.push(`${deliveryId} was removed, but its attempts were not`);
    if (attempts.some(({ ordinal }, index) => ordinal !== index + 1))
      wrong.push(`${deliveryId} has the ordinals ${attempts.map(({ ordinal }) => ordinal).join(', ')}`);
    const closing = attempts.filter(isBookkeeping);
    if (attempts.length - closing.length > MAX_ATTEMPTS)
      wrong.push(`${deliveryId} has ${attempts.length} attempts`);
    if (closing.length > 1 || (closing.length === 1 && closing[0] !== attempts.at(-1)))
      wrong.push(`${deliveryId} was closed twice, or has an attempt after it was closed`);
  }
  for (const [id, { hash, deliveryId }] of before?.attempts ?? []) {
    const current = now.attempts.get(id);
    if (current === undefined && now.deliveries.has(deliveryId)) wrong.push(`attempt ${id} was removed`);
    if (current !== undefined && current.hash !== hash) wrong.push(`attempt ${id} was changed`);
  }
  return wrong;
};
