import { countBy, type Evidence, type Invariant } from '../evidence.js';
import type { DeliveryRow, Snapshot } from '../snapshot.js';

const SENDS: ReadonlySet<string> = new Set(['webhook.delivery_replayed', 'webhook.test_event_sent']);
const TEST_EVENT = 'webhook.test_event';

/** I11: each cause has exactly one audit entry, and one notification where there should be one. */
export const eachCauseIsRecordedOnce: Invariant = (evidence) => [
  ...auditsOfEvents(evidence),
  ...auditsOfSends(evidence),
  ...notificationsOfDisabling(evidence),
  ...notificationsOfOutages(evidence),
];

/** I11, at the end: every outbox record has been published. */
export const everythingIsPublished: Invariant = ({ now }) =>
  now.outbox.map((id) => `the outbox record ${id} was not published`);

function auditsOfEvents({ events, now }: Evidence): string[] {
  const created = now.audits.filter(({ action }) => action === 'api_token.created');
  const entries = countBy(created.map(({ targetId }) => targetId));
  return events
    .filter(({ tokenId, answeredAt }) => answeredAt < now.at && entries.get(tokenId) !== 1)
    .map(({ tokenId }) => `${tokenId} has ${entries.get(tokenId) ?? 0} audit entries`);
}

/** A replay or test writes its delivery and one entry in one transaction; only retention removes the delivery. */
function auditsOfSends({ sends, now, conditions }: Evidence): string[] {
  const entries = countBy(
    now.audits.flatMap(({ action, createdId }) => (SENDS.has(action) ? (createdId ?? []) : [])),
  );
  const isSend = ({ eventType, replayedFrom }: DeliveryRow) =>
    replayedFrom !== null || eventType === TEST_EVENT;
  const sent = new Set([...now.deliveries.values()].filter(isSend).map(({ id }) => id));
  for (const { deliveryId, answeredAt } of sends) if (answeredAt < now.at) sent.add(deliveryId);
  const orphans = conditions.retentionMs === null ? [...entries.keys()].filter((id) => !sent.has(id)) : [];
  return [
    ...[...sent]
      .filter((id) => entries.get(id) !== 1)
      .map((id) => `the replay or test ${id} has ${entries.get(id) ?? 0} audit entries`),
    ...orphans.map((id) => `an audit entry names the replay or test ${id}, which does not exist`),
  ];
}

function notificationsOfDisabling({ now }: Evidence): string[] {
  const disabled = now.audits.filter(
    ({ action, reason }) => action === 'webhook_endpoint.disabled' && reason === 'consecutive_failures',
  );
  const audited = countBy<string | null>(disabled.map(({ targetId }) => targetId));
  const notified = countBy(notificationsOf(now, 'endpoint_disabled').map(({ endpointId }) => endpointId));
  return [...new Set([...audited.keys(), ...notified.keys()])]
    .filter((id) => audited.get(id) !== notified.get(id))
    .map((id) => `${id} was disabled ${audited.get(id) ?? 0} times, notified ${notified.get(id) ?? 0} times`);
}

/** Endpoint and start identify an outage. It is notified once, and only if a delivery was dead-lettered in it. */
function notificationsOfOutages({ now, conditions }: Evidence): string[] {
  const dead = [...now.deliveries.values()].filter(({ status }) => status === 'dead_lettered');
  const outages = new Set(
    dead.map(({ endpointId, failingSince, createdAt }) => `${endpointId} since ${failingSince ?? createdAt}`),
  );
  const notified = countBy(
    notificationsOf(now, 'endpoint_stopped_receiving').map(
      ({ endpointId, failingSince }) => `${endpointId} since ${failingSince}`,
    ),
  );
  // Without its dead letters an outage is valid only if retention may have removed them.
  const isValid = (outage: string) =>
    notified.get(outage) === 1 && (outages.has(outage) || conditions.retentionMs !== null);
  return [...new Set([...outages, ...notified.keys()])]
    .filter((outage) => !isValid(outage))
    .map((outage) => {
      const deadLetters = outages.has(outage) ? 'has dead letters' : 'has no dead letter';
      return `the outage of ${outage} ${deadLetters} and was notified ${notified.get(outage) ?? 0} times`;
    });
}

const notificationsOf = ({ notifications }: Snapshot, kind: string) =>
  notifications.filter((notification) => notification.kind === kind);
