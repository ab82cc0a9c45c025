import type { Evidence, Invariant } from '../evidence.js';

/** I11: what happened once was told once: in the audit trail and in notifications. */
export const everyCauseIsToldOnce: Invariant = (evidence) => [
  ...auditsOfCalls(evidence),
  ...notificationsOf(evidence),
];

/** I11, to be judged at the end: everything that was promised has been published. */
export const everythingIsPublished: Invariant = ({ now }) =>
  now.outbox.map((id) => `the outbox record ${id} was not published`);

function auditsOfCalls({ events, sends, now }: Evidence): string[] {
  const told = new Map<string, number>();
  const count = (action: string, targetId: string) => {
    const key = `${action} ${targetId}`;
    told.set(key, (told.get(key) ?? 0) + 1);
  };
  for (const { action, targetId } of now.audits) count(action, targetId);
  const wrong = events
    .filter(
      ({ tokenId, answeredAt }) => answeredAt < now.at && told.get(`api_token.created ${tokenId}`) !== 1,
    )
    .map(({ tokenId }) => `${tokenId} has no audit entry, or several`);
  const replays = Map.groupBy(
    sends.filter(({ kind, answeredAt }) => kind === 'replay' && answeredAt < now.at),
    ({ sourceId }) => sourceId,
  );
  for (const [sourceId, calls] of replays) {
    const entries = told.get(`webhook.delivery_replayed ${sourceId}`) ?? 0;
    if (entries < calls.length)
      wrong.push(`${calls.length} replays of ${sourceId} have ${entries} audit entries`);
  }
  return wrong;
}

function notificationsOf({ now, circumstances }: Evidence): string[] {
  const wrong: string[] = [];
  const disabled = now.audits.filter(
    ({ action, reason }) => action === 'webhook_endpoint.disabled' && reason === 'consecutive_failures',
  );
  const perEndpoint = (kind: string, endpointId: string) =>
    now.notifications.filter((one) => one.kind === kind && one.endpointId === endpointId).length;
  for (const [endpointId, audits] of Map.groupBy(disabled, ({ targetId }) => targetId)) {
    const told = perEndpoint('endpoint_disabled', endpointId);
    if (told !== audits.length)
      wrong.push(`${endpointId} was disabled ${audits.length} times and announced ${told} times`);
  }
  if (circumstances.retentionMs !== null) return wrong;
  const dead = [...now.rows.values()].filter(({ status }) => status === 'dead_lettered');
  for (const [endpointId, rows] of Map.groupBy(dead, (row) => row.endpointId)) {
    const outages = new Set(rows.map(({ failingSince }) => failingSince)).size;
    const told = perEndpoint('endpoint_stopped_receiving', endpointId);
    if (told !== outages)
      wrong.push(`${endpointId} had ${outages} outages and ${told} notifications of them`);
  }
  return wrong;
}
