import { type Evidence, type Interval, type Invariant, TERMINAL } from '../evidence.js';
import type { AuditRow, EndpointRow } from '../snapshot.js';

/** An endpoint expects an event only if it had not changed for this long before it. */
const UNCHANGED_FOR_MS = 5_000;
const ENDPOINT_CHANGE = /^webhook_endpoint\.(updated|enabled|disabled|deleted)$/;
const EVENT_TYPE = 'api_token.created';

/** I1, at the end: each accepted event is finished at every endpoint that expects it; so is each replay and test. */
export const nothingIsLost: Invariant = (evidence) => [...lostEvents(evidence), ...lostSends(evidence)];

function lostEvents({
  events,
  now,
  firstSeen,
  conditions: { retentionMs, otherWorkspaces },
}: Evidence): string[] {
  const byToken = Map.groupBy(
    [...now.deliveries.values()].filter((row) => row.tokenId !== null && row.replayedFrom === null),
    ({ tokenId }) => tokenId,
  );
  const changes = Map.groupBy(
    now.audits.filter(({ action }) => ENDPOINT_CHANGE.test(action)),
    ({ targetId }) => targetId,
  );
  const wrong: string[] = [];
  for (const { tokenId, sentAt, workspace } of events) {
    if (retentionMs !== null && sentAt < now.at - retentionMs) continue;
    const rows = byToken.get(tokenId) ?? [];
    const fannedOutAt = Math.max(...rows.map(({ id }) => firstSeen.get(id) ?? now.at));
    const unchanged = { from: sentAt - UNCHANGED_FOR_MS, to: rows.length === 0 ? now.at : fannedOutAt };
    for (const endpoint of now.endpoints.values()) {
      if (otherWorkspaces.get(endpoint.id) !== workspace) continue;
      const row = rows.find(({ endpointId }) => endpointId === endpoint.id);
      if (row === undefined && isExpected(endpoint, changes.get(endpoint.id) ?? [], unchanged))
        wrong.push(`the event of ${tokenId} has no delivery for ${endpoint.path}`);
      if (row !== undefined && !TERMINAL.has(row.status))
        wrong.push(`${row.id} is still ${row.status} at the end`);
    }
  }
  return wrong;
}

function isExpected(endpoint: EndpointRow, changes: readonly AuditRow[], { from, to }: Interval): boolean {
  if (endpoint.createdAt > from || !endpoint.eventTypes.includes(EVENT_TYPE)) return false;
  if (changes.some(({ createdAt }) => createdAt >= from && createdAt <= to)) return false;
  const last = changes
    .filter(({ createdAt, action }) => createdAt < from && action !== 'webhook_endpoint.updated')
    .sort((a, b) => a.createdAt - b.createdAt)
    .at(-1);
  return last === undefined || last.action === 'webhook_endpoint.enabled';
}

function lostSends({ sends, now, conditions: { retentionMs } }: Evidence): string[] {
  return sends.flatMap(({ kind, deliveryId, sentAt }) => {
    if (retentionMs !== null && sentAt < now.at - retentionMs) return [];
    const status = now.deliveries.get(deliveryId)?.status;
    if (status === undefined) return [`the ${kind} ${deliveryId} has no delivery`];
    return TERMINAL.has(status) ? [] : [`the ${kind} ${deliveryId} is still ${status} at the end`];
  });
}

/** I1: each delivery that is stored as delivered was answered with a 2xx. */
export const deliveredWasAcknowledged: Invariant = ({ received, now }) => {
  const acknowledged = new Set(
    received
      .filter(({ answer }) => answer !== null && answer.status >= 200 && answer.status <= 299)
      .map(({ deliveryId }) => deliveryId),
  );
  return [...now.deliveries.values()]
    .filter(({ id, status }) => status === 'delivered' && !acknowledged.has(id))
    .map(({ id }) => `${id} is delivered, but none of its POSTs was answered with a 2xx`);
};
