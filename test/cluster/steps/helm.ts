import { CHART } from '../../deploy/render.js';
import { EVENT_TYPES } from '../../deploy/variants.js';
import { rateOf } from '../load/rate.js';
import { OWN_EVENTS } from '../load/sources.js';
import { type Kubectl, withNamespace } from '../tools.js';
import type { Trial } from '../trial.js';
import { lastingAddressOfApi } from './address-of-api.js';
import { admitReceiver } from './admit-receiver.js';
import { drainNode, killPods } from './disturb.js';
import { helmIn, uninstall } from './helm-in.js';
import { refuseCatalogue } from './refuse-catalogue.js';
import { runJanitor } from './run-janitor.js';
import { deliverFirst, setUpWorkspace } from './set-up-workspace.js';
import type { Step, Story } from './step.js';
import { underLoad } from './under-load.js';
import { ANYWHERE, valuesFor } from './values.js';

const NAMESPACE = 'postrider-helm';

export const helm: Step = {
  name: 'helm',
  about: 'installs, tests, upgrades, drains, kills, rolls back and uninstalls the chart under load',
  run: (trial, story) => withNamespace(trial, NAMESPACE, (kubectl) => tryChart(trial, story, kubectl)),
};

async function tryChart(trial: Trial, story: Story, kubectl: Kubectl): Promise<void> {
  const { image } = trial;
  const values = {
    ...valuesFor(trial, 'helm'),
    eventCatalogue: EVENT_TYPES,
    networkPolicies: NETWORK_POLICIES,
  };
  const run = helmIn(trial, NAMESPACE);
  const install = (changes: object) => run.install(CHART, { ...values, ...changes });
  await story.part('helm install until every pod is ready', () => install({}));
  await admitReceiver(trial, kubectl);
  const lasting = await lastingAddressOfApi(trial, kubectl);
  await story.part('helm test', () => run('test', 'postrider', '--logs'));
  const { endpoints } = rateOf(trial.perSecond);
  const publisher = await story.part('workspace, token and endpoints', () =>
    setUpWorkspace(trial, kubectl, { endpoints, eventTypes: ['invoice.paid'] }),
  );
  const source = OWN_EVENTS;
  await story.part('the first verified delivery', () => deliverFirst(trial, publisher, source));
  const disrupt = (what: string, act: () => Promise<unknown>, mayReset?: true) =>
    underLoad({ trial, story, publisher, source }, { what, act, ...(mayReset && { mayReset }) });
  await disrupt('upgrade to another image', () =>
    install({ image: { ...values.image, tag: image.nextTag } }),
  );
  await disrupt('upgrade of the configuration', () =>
    install({ config: { ...values.config, LOG_SAMPLE_DELIVERED: '0.02' } }),
  );
  await disrupt('catalogue with mistakes, and rollback', () => refuseCatalogue(run, kubectl, values));
  await disrupt('drain of a node', () => drainNode(trial, kubectl));
  await disrupt('forced deletion of a pod of each service', () => killPods(kubectl), true);
  await disrupt('rollback', () => run('rollback', 'postrider', '1', '--wait'));
  await story.part('janitor from its CronJob', () => runJanitor(kubectl));
  // Calls are refused while there is no pod. What was accepted until then is delivered by the next installation.
  await underLoad(
    { trial, story, publisher: { ...publisher, address: lasting }, source },
    {
      what: 'helm uninstall until no pod is left, and installation again',
      act: () => uninstall(run, kubectl).then(() => install({})),
      mayReset: true,
    },
  );
  await story.part('admin verify', () => kubectl.admin('verify'));
  await story.part('helm uninstall without load', () => uninstall(run, kubectl));
}

const SERVERS = { to: ANYWHERE };
const NETWORK_POLICIES = {
  enabled: true,
  dns: SERVERS,
  kafka: SERVERS,
  mongodb: SERVERS,
  schemaRegistry: SERVERS,
};
