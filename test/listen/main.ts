import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@postrider/shared/testing/eventually';
import { Webhook } from 'standardwebhooks';
import { PATHS } from '#dev/start/paths';
import { startCli } from '../cli/run-cli.js';
import { type Link, openLink } from '../faults/world/link.js';
import { type System, startSystem } from '../system.js';
import { publishSteadily } from './publish-steadily.js';

const EVENTS = 1_000;
const PER_SECOND = 100;
const CUT_AFTER_MS = 2_000;
const CUT_MS = 20_000;
const ARRIVES_MS = 90_000;
const SECRET = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;

/** How the network between `listen` and the api fails for 20 seconds, while events are published past it. */
const CUTS: Readonly<Record<string, (link: Link) => Promise<void>>> = {
  'without a cut': async () => {},
  'with packets that get lost': async (link) => link.cut(),
  'with connections that are closed and refused': (link) => link.refuse(),
};

/** How often each event was forwarded with a valid signature. */
function forwarded({ receiver }: System): ReadonlyMap<string, number> {
  const webhook = new Webhook(SECRET);
  const counts = new Map<string, number>();
  for (const { path, body, headers } of receiver.received) {
    if (path !== '/local') continue;
    const { deliveryId } = webhook.verify(body, headers as Record<string, string>) as { deliveryId: string };
    counts.set(deliveryId, (counts.get(deliveryId) ?? 0) + 1);
  }
  return counts;
}

/** @returns whether every event arrived */
async function round(system: System, link: Link, name: string): Promise<boolean> {
  const cut = CUTS[name];
  const [{ eventIds, perSecond }] = await Promise.all([
    publishSteadily(system.client, { count: EVENTS, perSecond: PER_SECOND }),
    (async () => {
      await sleep(CUT_AFTER_MS);
      await cut?.(link);
      await sleep(name === 'without a cut' ? 0 : CUT_MS);
      await link.mend();
    })(),
  ]);
  const missing = () => {
    const counts = forwarded(system);
    return eventIds.filter((id) => !counts.has(id)).length;
  };
  const lost = await eventually(() => {
    if (missing() > 0) throw new Error('events are missing');
    return 0;
  }, ARRIVES_MS).catch(missing);
  const counts = forwarded(system);
  const repeated = eventIds.filter((id) => (counts.get(id) ?? 0) > 1).length;
  const passed = lost === 0 && eventIds.length === EVENTS;
  console.log(
    `${passed ? 'passed' : 'FAILED'}  ${name}: ${eventIds.length} events at ${perSecond} a second, ${lost} lost, ${repeated} repeated`,
  );
  return passed;
}

/** The catalogue is known, and the stream is open, after some seconds. */
async function untilForwarding(system: System): Promise<void> {
  await eventually(async () => {
    await publishSteadily(system.client, { count: 1, perSecond: PER_SECOND });
    await sleep(500);
    if (forwarded(system).size === 0) throw new Error('nothing was forwarded');
  }, ARRIVES_MS);
}

const system = await startSystem({ RATE_LIMIT_PUBLISH: '0' }, ['api']);
let failed = 0;
const names = Object.keys(CUTS);
try {
  await system.admin(['catalogue', 'apply', PATHS.eventTypes]);
  const link = await openLink(0, system.services('api')[0]?.port ?? 0);
  const listener = startCli(
    ['--json', 'listen', '--forward', `${system.receiver.url}/local`, '--secret', SECRET],
    { POSTRIDER_URL: `http://127.0.0.1:${link.port}`, POSTRIDER_TOKEN: system.token },
  );
  listener.stderr.pipe(process.stderr);
  listener.stdout.resume();
  try {
    await untilForwarding(system);
    for (const name of names) if (!(await round(system, link, name))) failed += 1;
  } finally {
    listener.kill();
    await link.close();
  }
} finally {
  await system.stop();
}
console.log(`${names.length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
