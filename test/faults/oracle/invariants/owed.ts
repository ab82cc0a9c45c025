import { type AuditRow, type EndpointRow, type Evidence, type Invariant, TERMINAL } from '../evidence.js';

/** An event counts only for endpoints that were as they are for this long before it, in milliseconds. */
const SETTLED_BEFORE_MS = 5_000;
const CHANGES: ReadonlySet<string> = new Set([
  'webhook_endpoint.updated',
  'webhook_endpoint.enabled',
  'webhook_endpoint.disabled',
  'webhook_endpoint.deleted',
]);
const EVENT_TYPE = 'api_token.created';

/**
 * I1, to be judged at the end: each accepted event came to an end at each endpoint that it is owed to, and so did each
 * accepted replay and test.
 */
export const nothingIsLost: Invariant = (evidence) => [...lostEvents(evidence), ...lostSends(evidence)];

function lostEvents({ events, now, firstSeen, circumstances }: Evidence): string[] {
  const byToken = Map.groupBy(
    [...now.rows.values()].filter(({ tokenId, replayedFrom }) => tokenId !== null && replayedFrom === null),
    ({ tokenId }) => tokenId,
  );
  const changes = Map.groupBy(
    now.audits.filter(({ action }) => CHANGES.has(action)),
    ({ targetId }) => targetId,
  );
  const { retentionMs } = circumstances;
  const wrong: string[] = [];
  for (const event of events) {
    if (retentionMs !== null && event.sentAt < now.at - retentionMs) continue;
    const rows = byToken.get(event.tokenId) ?? [];
    const fanOutEnded = rows.reduce((last, { id }) => Math.max(last, firstSeen.get(id) ?? now.at), 0);
    for (const endpoint of now.endpoints.values()) {
      const row = rows.find(({ endpointId }) => endpointId === endpoint.id);
      if (row !== undefined) {
        if (!TERMINAL.has(row.status)) wrong.push(`${row.id} is still ${row.status} at the end`);
      } else if (
        isOwed(endpoint, changes.get(endpoint.id) ?? [], {
          from: event.sentAt - SETTLED_BEFORE_MS,
          to: rows.length === 0 ? now.at : fanOutEnded,
        })
      )
        wrong.push(`the event of ${event.tokenId} has no delivery for ${endpoint.path}`);
    }
  }
  return wrong;
}

function isOwed(
  endpoint: EndpointRow,
  changes: readonly AuditRow[],
  span: { readonly from: number; readonly to: number },
): boolean {
  if (endpoint.createdAt > span.from || !endpoint.eventTypes.includes(EVENT_TYPE)) return false;
  if (changes.some(({ createdAt }) => createdAt >= span.from && createdAt <= span.to)) return false;
  const earlier = changes
    .filter(({ createdAt, action }) => createdAt < span.from && action !== 'webhook_endpoint.updated')
    .sort((a, b) => a.createdAt - b.createdAt);
  const last = earlier.at(-1);
  return last === undefined || last.action === 'webhook_endpoint.enabled';
}

function lostSends({ sends, now, circumstances: { retentionMs } }: Evidence): string[] {
  return sends.flatMap(({ kind, deliveryId, sentAt }) => {
    if (retentionMs !== null && sentAt < now.at - retentionMs) return [];
    const row = now.rows.get(deliveryId);
    if (row === undefined) return [`the ${kind} ${deliveryId} has no row`];
    return TERMINAL.has(row.status) ? [] : [`the ${kind} ${deliveryId} is still ${row.status} at the end`];
  });
}

/** I1: what is delivered was answered with a 2xx before. */
export const deliveredMeansAnswered: Invariant = ({ received, now }) => {
  const answered = new Set(
    received
      .filter(({ answer }) => answer !== null && answer.status >= 200 && answer.status <= 299)
      .map(({ deliveryId }) => deliveryId),
  );
  return [...now.rows.values()]
    .filter(({ id, status }) => status === 'delivered' && !answered.has(id))
    .map(({ id }) => `${id} is delivered, but no POST of it was answered with a 2xx`);
};
