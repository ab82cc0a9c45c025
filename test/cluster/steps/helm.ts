import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { CHART } from '../../deploy/render.js';
import { EVENT_TYPES } from '../../deploy/variants.js';
import { run } from '../own/run.js';
import { type Kubectl, namesOf, untilNoPods, untilRolledOut, withNamespace } from '../tools.js';
import { databaseOf, type Trial } from '../trial.js';
import { deliverFirst, setUpWorkspace } from './set-up-workspace.js';
import type { Step, Story } from './step.js';
import { underLoad } from './under-load.js';

const NAMESPACE = 'postrider-helm';

export const helm: Step = {
  name: 'helm',
  about: 'installs, tests, upgrades, drains, kills, rolls back and uninstalls the chart under load',
  run: (trial, story) =>
    withNamespace(trial.cluster, NAMESPACE, (kubectl) => tryChart(trial, story, kubectl)),
};

async function tryChart(trial: Trial, story: Story, kubectl: Kubectl): Promise<void> {
  const { image } = trial;
  const values = valuesFor(trial);
  const install = (changes: object) => installChart(trial, { ...values, ...changes });
  await story.part('helm install until every pod is ready', () => install({}));
  await story.part('helm test', () => runHelm(trial, 'test', 'postrider', '--logs'));
  const publisher = await story.part('workspace, token and endpoint', () => setUpWorkspace(trial, kubectl));
  await story.part('the first verified delivery', () => deliverFirst(trial, publisher));
  const disrupt = (what: string, act: () => Promise<unknown>, mayReset?: true) =>
    underLoad(trial, publisher, story, { what, act, ...(mayReset && { mayReset }) });
  const settled = () => untilRolledOut(kubectl);
  await disrupt('upgrade to another image', () =>
    install({ image: { ...values.image, tag: image.nextTag } }),
  );
  await disrupt('upgrade of the configuration', () =>
    install({ config: { ...values.config, LOG_SAMPLE_DELIVERED: '0.02' } }),
  );
  await disrupt('drain of a node', () => drain(trial, kubectl));
  await disrupt(
    'forced deletion of a pod of each service',
    () => deleteForcefully(kubectl).then(settled),
    true,
  );
  await disrupt('rollback', () => runHelm(trial, 'rollback', 'postrider', '1', '--wait'));
  await story.part('janitor from its CronJob', () => runJanitor(kubectl));
  await story.part('admin verify', () => kubectl.admin('verify'));
  await story.part('helm uninstall until no pod is left', async () => {
    await runHelm(trial, 'uninstall', 'postrider', '--wait');
    await kubectl('delete', 'pod', 'postrider-test', '--ignore-not-found');
    await untilNoPods(kubectl);
  });
}

/** Two of each, so that every stop has another pod to go to. */
function valuesFor(trial: Trial) {
  const { servers, image } = trial;
  const small = { requests: { cpu: '10m', memory: '64Mi' }, limits: { memory: '512Mi' } };
  return {
    image: { repository: image.repository, tag: image.tag },
    kafka: { brokers: servers.kafkaBrokers.join(',') },
    schemaRegistry: { url: servers.schemaRegistryUrl },
    topics: { prefix: 'helm.', partitions: 6, replicationFactor: 1 },
    secrets: {
      create: {
        MONGODB_URI: databaseOf(trial, 'helm'),
        ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 7).toString('base64')}`,
      },
    },
    config: TRIAL_SETTINGS,
    eventCatalogue: EVENT_TYPES,
    networkPolicies: {
      enabled: true,
      dns: SERVERS,
      kafka: SERVERS,
      mongodb: SERVERS,
      schemaRegistry: SERVERS,
    },
    api: { replicas: 2, resources: small },
    dispatcher: { replicas: 2, resources: small },
    dlqConsumer: { replicas: 1, resources: small },
  };
}

/** A cluster may have its servers anywhere, outside it too. */
export const ANYWHERE = [{ ipBlock: { cidr: '0.0.0.0/0' } }];
const SERVERS = { to: ANYWHERE };

/** The receiver is on a private address, and the load exceeds what one token may usually do. */
export const TRIAL_SETTINGS = {
  ALLOW_HTTP_WEBHOOKS: 'true',
  EGRESS_ALLOW_CIDRS: '10.200.0.0/24',
  RATE_LIMIT_PUBLISH: '0',
  LOG_SAMPLE_DELIVERED: '0.01',
};

function installChart(trial: Trial, values: object): Promise<string> {
  const file = join(mkdtempSync(join(tmpdir(), 'postrider-values-')), 'values.yaml');
  writeFileSync(file, stringify(values));
  const options = ['--install', '--wait', '--timeout', '4m', '--values', file];
  return runHelm(trial, 'upgrade', 'postrider', CHART, ...options);
}

const runHelm = ({ helm: program, cluster }: Trial, ...args: string[]): Promise<string> =>
  run(program, [...args, '--namespace', NAMESPACE], { env: cluster.env });

async function drain({ cluster }: Trial, kubectl: Kubectl): Promise<void> {
  const node = cluster.nodes.at(-1)!;
  await kubectl('drain', node, '--ignore-daemonsets', '--delete-emptydir-data', '--timeout=180s');
  await untilRolledOut(kubectl);
  await kubectl('uncordon', node);
}

async function deleteForcefully(kubectl: Kubectl): Promise<void> {
  for (const component of ['api', 'dispatcher', 'dlq-consumer']) {
    const [pod] = await namesOf(kubectl, 'pods', '-l', `app.kubernetes.io/component=${component}`);
    if (pod !== undefined) await kubectl('delete', pod, '--grace-period=0', '--force');
  }
}

async function runJanitor(kubectl: Kubectl): Promise<void> {
  await kubectl('create', 'job', 'janitor-now', '--from=cronjob/postrider-janitor');
  await kubectl('wait', '--for=condition=Complete', 'job/janitor-now', '--timeout=120s');
}
