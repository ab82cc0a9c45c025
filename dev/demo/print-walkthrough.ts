import type { DeliveredOnce } from './deliver-once.js';
import { WORKSPACE } from './open-workspace.js';
import type { Attempt } from './resources.js';

/** Where everything is, and the demo's token and endpoint where there is a demo. */
export interface Up extends Addresses, Partial<Pick<ToTry, 'token' | 'endpointId'>> {}

/** All that a person is told once everything is up. */
export function tellDemo(up: Up, delivered?: DeliveredOnce): string {
  const indented = (lines: readonly string[]): string[] => lines.map((line) => `  ${line}`);
  const lines: string[] = [];
  if (delivered !== undefined) lines.push('', 'The story of one delivery', ...indented(tellStory(delivered)));
  lines.push('', 'Where things are', ...indented(tellAddresses(up)));
  const { token, endpointId, receiverUrl, apiUrl } = up;
  if (token !== undefined && endpointId !== undefined && receiverUrl !== undefined) {
    const toTry = tellWhatToTry({ apiUrl, receiverUrl, token, endpointId });
    lines.push(`  token      ${token}`, '', 'Try next', ...indented(toTry));
  }
  return lines.join('\n');
}

/** Event, delivery and attempts of the demo, for a person. */
export function tellStory({ delivery, attempts }: DeliveredOnce): string[] {
  const { eventId, occurredAt, previousPlan, plan } = delivery.payload;
  const times = delivery.attempts === 1 ? '1 attempt' : `${delivery.attempts} attempts`;
  return [
    `event      ${clock(occurredAt)}  ${delivery.eventType}  ${eventId}  (${previousPlan} → ${plan})`,
    `delivery   ${delivery.deliveryId}  ${delivery.status} after ${times}`,
    ...attempts.map(tellAttempt),
    'receiver   signature verified ✓ with the rotated secret',
  ];
}

function tellAttempt({
  ordinal,
  status,
  httpStatus,
  failureReason,
  attemptedAt,
  durationMs,
}: Attempt): string {
  const answer = httpStatus === null ? (failureReason ?? 'no answer') : `HTTP ${httpStatus}`;
  const took = durationMs === null ? '' : ` in ${durationMs} ms`;
  return `attempt ${ordinal}  ${clock(attemptedAt)}  ${answer}${took}  ${status}`;
}

function clock(timestamp: string): string {
  return timestamp.slice(11, 23);
}

export interface Addresses {
  readonly apiUrl: string;
  readonly metricsUrls: readonly string[];
  readonly receiverUrl?: string;
  readonly kafkaBrokers: readonly string[];
  readonly mongodbUri: string;
  readonly schemaRegistryUrl: string;
}

/** Where everything is. */
export function tellAddresses(at: Addresses): string[] {
  return [
    `api        ${at.apiUrl}   (${at.apiUrl}/openapi.json)`,
    ...(at.receiverUrl === undefined ? [] : [`receiver   ${at.receiverUrl}   (/behaviour, /deliveries)`]),
    ...(at.metricsUrls.length === 0 ? [] : [`metrics    ${at.metricsUrls.join('  ')}`]),
    `kafka      ${at.kafkaBrokers.join(',')}`,
    `mongodb    ${at.mongodbUri}`,
    `registry   ${at.schemaRegistryUrl}`,
  ];
}

export interface ToTry {
  readonly apiUrl: string;
  readonly receiverUrl: string;
  readonly token: string;
  readonly endpointId: string;
}

/** Three commands for a shell, in this order: the second and third use the id that the first one notes in `D`. */
export function tellWhatToTry({ apiUrl, receiverUrl, token, endpointId }: ToTry): string[] {
  const workspace = `${apiUrl}/workspaces/${WORKSPACE}`;
  const bearer = `-H 'authorization: Bearer ${token}'`;
  const misbehave = `curl -s -X PUT ${receiverUrl}/behaviour -d '{"status": 500, "times": 3}'`;
  const send = `curl -s -X POST ${bearer} ${workspace}/webhooks/${endpointId}/test-event`;
  return [
    '# make the receiver fail three times, and send it a test event',
    `${misbehave}; D=$(${send} | grep -o 'whd_[a-z0-9]*' | head -n 1); echo " $D"`,
    '# list the attempts of that delivery',
    `curl -s ${bearer} ${workspace}/webhooks/deliveries/$D/attempts`,
    '# send it again as a new delivery, without waiting for its retry',
    `curl -s -X POST ${bearer} ${workspace}/webhooks/deliveries/$D/replay`,
  ];
}
