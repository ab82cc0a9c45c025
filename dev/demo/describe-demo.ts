import { SERVICES } from '../processes/start-service.js';
import type { Facts } from '../start/processes.js';
import { WORKSPACE } from '../start/run-admin.js';
import type { DeliveredOnce } from './deliver-once.js';

/** The text to print once everything is up. */
export function describeDemo(facts: Facts, delivered: DeliveredOnce | undefined): string {
  const section = (title: string, lines: readonly string[]) => [
    '',
    title,
    ...lines.map((line) => `  ${line}`),
  ];
  return [
    ...(delivered === undefined ? [] : section('One delivery, step by step', describeDelivery(delivered))),
    ...section('Where things are', describeAddresses(facts)),
    ...(facts.endpointId === undefined ? [] : section('Try next', commandsToTry(facts))),
  ].join('\n');
}

function describeDelivery({ delivery, attempts, own }: DeliveredOnce): string[] {
  const { eventId, occurredAt, previousPlan, plan } = delivery.payload;
  const times = delivery.attempts === 1 ? '1 attempt' : `${delivery.attempts} attempts`;
  return [
    `event      ${clock(`${occurredAt}`)}  ${delivery.eventType}  ${eventId}  (${previousPlan} → ${plan})`,
    `delivery   ${delivery.deliveryId}  ${delivery.status} after ${times}`,
    ...attempts.map(({ ordinal, status, httpStatus, failureReason, attemptedAt, durationMs }) => {
      const answer = httpStatus === null ? (failureReason ?? 'no answer') : `HTTP ${httpStatus}`;
      const took = durationMs === null ? '' : ` in ${durationMs} ms`;
      return `attempt ${ordinal}  ${clock(attemptedAt)}  ${answer}${took}  ${status}`;
    }),
    'receiver   signature verified ✓ with the rotated secret',
    ...(own === undefined
      ? []
      : [
          `your own   ${clock(own.createdAt)}  ${own.eventType}  ${own.eventId}  ${own.status}, signature verified ✓`,
        ]),
  ];
}

function clock(timestamp: string): string {
  return timestamp.slice(11, 23);
}

function describeAddresses({
  apiUrl,
  consoleUrl,
  receiverUrl,
  metricsUrls,
  token,
  ...servers
}: Facts): string[] {
  return [
    ...(consoleUrl === undefined ? [] : [`console    ${consoleUrl}   (signed in)`]),
    `api        ${apiUrl}   (${apiUrl}/openapi.json)`,
    ...(receiverUrl === undefined ? [] : [`receiver   ${receiverUrl}   (/behaviour, /deliveries)`]),
    ...(metricsUrls.length === 0 ? [] : [`metrics    ${metricsUrls.join('  ')}   (${SERVICES.join(', ')})`]),
    `kafka      ${servers.kafkaBrokers.join(',')}`,
    `mongodb    ${servers.mongodbUri}`,
    `registry   ${servers.schemaRegistryUrl}`,
    ...(token === undefined ? [] : [`token      ${token}`]),
  ];
}

/** Commands for a shell, in this order: the second and third use the id that the first one stores in `D`. */
function commandsToTry({ apiUrl, receiverUrl, token, endpointId }: Facts): string[] {
  const workspace = `${apiUrl}/workspaces/${WORKSPACE}`;
  const bearer = `-H 'authorization: Bearer ${token}'`;
  const fail = `curl -s -X PUT ${receiverUrl}/behaviour -d '{"status": 500, "times": 3}'`;
  const send = `curl -s -X POST ${bearer} ${workspace}/webhooks/${endpointId}/test-event`;
  return [
    '# make the receiver fail three times, and send it a test event',
    `${fail}; D=$(${send} | grep -o 'whd_[a-z0-9]*' | head -n 1); echo " $D"`,
    '# list the attempts of that delivery',
    `curl -s ${bearer} ${workspace}/webhooks/deliveries/$D/attempts`,
    '# send it again as a new delivery, without waiting for its retry',
    `curl -s -X POST ${bearer} ${workspace}/webhooks/deliveries/$D/replay`,
    '# forward events to a receiver of your own on this machine (docs/cli.md)',
    `POSTRIDER_URL=${apiUrl} POSTRIDER_TOKEN=${token} npx postrider listen --forward http://localhost:3000/hook`,
  ];
}
