import type { Evidence, Invariant, NotificationRow, Row, Snapshot } from '../evidence.js';

const SENDS: ReadonlySet<string> = new Set(['webhook.delivery_replayed', 'webhook.test_event_sent']);
const TEST_EVENT = 'webhook.test_event';

/** I11: what happened once was told once: in the audit trail and in notifications. */
export const everyCauseIsToldOnce: Invariant = (evidence) => [
  ...auditsOfEvents(evidence),
  ...auditsOfSends(evidence),
  ...disablingsOf(evidence),
  ...outagesOf(evidence),
];

/** I11, to be judged at the end: everything that was promised has been published. */
export const everythingIsPublished: Invariant = ({ now }) =>
  now.outbox.map((id) => `the outbox record ${id} was not published`);

function auditsOfEvents({ events, now }: Evidence): string[] {
  const told = countBy(
    now.audits.filter(({ action }) => action === 'api_token.created').map(({ targetId }) => targetId),
  );
  return events
    .filter(({ tokenId, answeredAt }) => answeredAt < now.at && told.get(tokenId) !== 1)
    .map(({ tokenId }) => `${tokenId} has no audit entry, or several`);
}

/** A replay or test is its row and one entry, made together; an entry outlives a row that is too old to be kept. */
function auditsOfSends({ sends, now, circumstances }: Evidence): string[] {
  const made = now.audits.flatMap(({ action, madeId }) =>
    SENDS.has(action) && madeId !== null ? [madeId] : [],
  );
  const told = countBy(made);
  const isSend = ({ eventType, replayedFrom }: Row) => replayedFrom !== null || eventType === TEST_EVENT;
  const sent = new Set([...now.rows.values()].filter(isSend).map(({ id }) => id));
  for (const { deliveryId, answeredAt } of sends) if (answeredAt < now.at) sent.add(deliveryId);
  const rowless = circumstances.retentionMs === null ? [...told.keys()].filter((id) => !sent.has(id)) : [];
  return [
    ...[...sent]
      .filter((id) => told.get(id) !== 1)
      .map((id) => `the replay or test ${id} has ${told.get(id) ?? 0} audit entries`),
    ...rowless.map((id) => `an audit entry tells of the replay or test ${id}, which there is not`),
  ];
}

function disablingsOf({ now }: Evidence): string[] {
  const disabled = now.audits.filter(
    ({ action, reason }) => action === 'webhook_endpoint.disabled' && reason === 'consecutive_failures',
  );
  const audited = countBy(disabled.map(({ targetId }): string | null => targetId));
  const told = countBy(endpointsTold(now, 'endpoint_disabled').map(({ endpointId }) => endpointId));
  return [...new Set([...audited.keys(), ...told.keys()])]
    .filter((id) => audited.get(id) !== told.get(id))
    .map((id) => `${id} was disabled ${audited.get(id) ?? 0} times and announced ${told.get(id) ?? 0} times`);
}

/** An outage is told by its endpoint and its beginning: once, and only when it buried something. */
function outagesOf({ now, circumstances }: Evidence): string[] {
  const dead = [...now.rows.values()].filter(({ status }) => status === 'dead_lettered');
  const outages = new Set(
    dead.map(({ endpointId, failingSince, createdAt }) => `${endpointId} since ${failingSince ?? createdAt}`),
  );
  const told = countBy(
    endpointsTold(now, 'endpoint_stopped_receiving').map(
      ({ endpointId, failingSince }) => `${endpointId} since ${failingSince}`,
    ),
  );
  const wrong = (outage: string) => {
    if (outages.has(outage)) return told.get(outage) !== 1;
    // What was buried may have been removed since.
    return circumstances.retentionMs === null || told.get(outage) !== 1;
  };
  return [...new Set([...outages, ...told.keys()])].filter(wrong).map((outage) => {
    const buried = outages.has(outage) ? 'buried something' : 'buried nothing';
    return `the outage of ${outage} ${buried} and was announced ${told.get(outage) ?? 0} times`;
  });
}

function endpointsTold({ notifications }: Snapshot, kind: string): readonly NotificationRow[] {
  return notifications.filter((one) => one.kind === kind);
}

function countBy<T>(items: readonly T[]): ReadonlyMap<T, number> {
  const counts = new Map<T, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
}
