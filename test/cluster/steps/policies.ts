import { CHART } from '../../deploy/render.js';
import { EVENT_TYPES } from '../../deploy/variants.js';
import { OWN_EVENTS } from '../load/sources.js';
import { type Kubectl, namesOf, withNamespace } from '../tools.js';
import type { Trial } from '../trial.js';
import { admitReceiver } from './admit-receiver.js';
import { helmIn, RELEASE, uninstall } from './helm-in.js';
import { deliverFirst, setUpWorkspace } from './set-up-workspace.js';
import type { Step, Story } from './step.js';
import { valuesFor } from './values.js';

const NAMESPACE = 'postrider-policies';
/** Prints how a connection to a host and a port ends. */
const CONNECT = `const [host, port] = process.argv.slice(1);
const socket = require('node:net').connect({ host, port, timeout: 5000 });
const end = (how) => { console.log(how); process.exit(); };
socket.on('connect', () => end('open')).on('timeout', () => end('timeout')).on('error', ({ code }) => end(code));`;

export const policies: Step = {
  name: 'policies',
  about: 'tries which connections the network policies of the chart admit while they are enforced',
  run: (trial, story) => withNamespace(trial, NAMESPACE, (kubectl) => tryPolicies(trial, story, kubectl)),
};

async function tryPolicies(trial: Trial, story: Story, kubectl: Kubectl): Promise<void> {
  const { cluster, servers, receiver } = trial;
  const helm = helmIn(trial, NAMESPACE);
  await story.part('helm install with network policies', () =>
    helm.install(CHART, valuesWithPolicies(trial)),
  );
  const publisher = await story.part('workspace, token and endpoint', () =>
    setUpWorkspace(trial, kubectl, { endpoints: 1, eventTypes: ['invoice.paid'] }),
  );
  await story.part('enforcement of the policies', () => cluster.enforcePolicies());
  const [kafka, mongodb, registry, hook] = [
    servers.kafkaBrokers[0]!,
    new URL(servers.mongodbUri).host,
    new URL(servers.schemaRegistryUrl).host,
    new URL(receiver.url).host,
  ];
  const inside = await addressesOf(kubectl);
  const check = (what: string, from: string, to: readonly string[], expected: Ending) =>
    story.part(what, () => expectConnections(kubectl, { from, to, expected }));
  for (const service of ['api', 'dispatcher', 'dlq-consumer'])
    await check(`${service} reaches its servers`, service, [kafka, mongodb, registry], OPEN);
  await check(
    'api reaches neither a private address nor other pods',
    'api',
    [hook, inside.dispatcher!],
    REFUSED,
  );
  await check(
    'dlq-consumer reaches neither receivers nor the api',
    'dlq-consumer',
    [hook, inside.api!],
    REFUSED,
  );
  await check('dispatcher reaches no private address', 'dispatcher', [hook, inside.api!], REFUSED);
  await story.part('a policy that admits the receiver', async () => {
    await admitReceiver(trial, kubectl);
    await cluster.enforcePolicies();
  });
  await check('dispatcher reaches the receiver', 'dispatcher', [hook], OPEN);
  await story.part('a delivery while policies are enforced', () =>
    deliverFirst(trial, publisher, OWN_EVENTS),
  );
  await story.part('helm uninstall until no pod is left', async () => {
    await uninstall(helm, kubectl);
    await cluster.enforcePolicies();
  });
}

/** How connections end, as CONNECT prints it. */
type Ending = readonly string[];

const OPEN: Ending = ['open'];
/** Some engines of network policies answer what they refuse, others do not. */
const REFUSED: Ending = ['ECONNREFUSED', 'timeout'];

function valuesWithPolicies(trial: Trial): object {
  const servers = { to: [{ ipBlock: { cidr: `${trial.cluster.host}/32` } }] };
  const networkPolicies = {
    enabled: true,
    dns: servers,
    kafka: servers,
    mongodb: servers,
    schemaRegistry: servers,
  };
  return { ...valuesFor(trial, 'policies'), eventCatalogue: EVENT_TYPES, networkPolicies };
}

/** An address of a pod of each service, with a port that it serves. */
async function addressesOf(kubectl: Kubectl): Promise<Readonly<Record<string, string>>> {
  const of = async (component: string, port: number) => {
    const [pod] = await namesOf(kubectl, 'pods', '-l', `app.kubernetes.io/component=${component}`);
    return `${await kubectl('get', pod!, '-o', 'jsonpath={.status.podIP}')}:${port}`;
  };
  return { api: await of('api', 8_080), dispatcher: await of('dispatcher', 8_081) };
}

interface Connections {
  readonly from: string;
  readonly to: readonly string[];
  readonly expected: Ending;
}

/** @throws Error with the connections that ended otherwise */
async function expectConnections(kubectl: Kubectl, { from, to, expected }: Connections): Promise<void> {
  const others: string[] = [];
  for (const target of to) {
    const program = ['node', '-e', CONNECT, ...target.split(':')];
    const how = (
      await kubectl('exec', `deployment/${RELEASE}-${from}`, '-c', 'postrider', '--', ...program)
    ).trim();
    if (!expected.includes(how)) others.push(`${target}: ${how} instead of ${expected.join(' or ')}`);
  }
  if (others.length > 0) throw new Error(others.join('\n'));
}
