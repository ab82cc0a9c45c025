import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { ROOT } from '#dev/start/places';
import { isCustom } from '../../deploy/custom-objects.js';
import { openWays } from '../../deploy/ways.js';
import { rateOf } from '../load/rate.js';
import { OWN_EVENTS } from '../load/sources.js';
import { untilNoPods, untilRolledOut, withNamespace } from '../tools.js';
import { databaseOf, type Trial } from '../trial.js';
import { drainNode, killPods } from './disturb.js';
import { ANYWHERE } from './helm.js';
import { rotateEncryptionKey } from './rotate-encryption-key.js';
import { deliverFirst, setUpWorkspace } from './set-up-workspace.js';
import type { Step, Story } from './step.js';
import { switchToKeda } from './switch-to-keda.js';
import { type Published, underLoad } from './under-load.js';
import { TRIAL_SETTINGS } from './values.js';

const CATALOGUE = join(ROOT, 'docs/event-types.yaml');
const NAMESPACE = 'postrider-kustomize';
const [OLD_KEY, NEW_KEY] = ['k1', 'k2'].map((id) => `${id}:${randomBytes(32).toString('base64')}`) as [
  string,
  string,
];
const COMPONENTS = ['event-catalogue', 'network-policies'];

export const kustomize: Step = {
  name: 'kustomize',
  about: 'applies, changes and deletes the production overlay under load',
  async run(trial, story) {
    const ways = await openWays(trial.report);
    try {
      await withNamespace(trial, NAMESPACE, (kubectl) => tryOverlay({ ...trial, ways, kubectl }, story));
    } finally {
      ways.close();
    }
  },
};

type Overlay = Trial & {
  readonly ways: Awaited<ReturnType<typeof openWays>>;
  readonly kubectl: Parameters<Parameters<typeof withNamespace>[2]>[0];
};

async function tryOverlay(overlay: Overlay, story: Story): Promise<void> {
  const { kubectl } = overlay;
  await createInputs(overlay);
  await story.part('kubectl apply -k until every pod is ready', () => apply(overlay, firstOf(overlay)));
  const { endpoints } = rateOf(overlay.perSecond);
  const publisher = await story.part('workspace, token and endpoints', () =>
    setUpWorkspace(overlay, kubectl, { endpoints, eventTypes: ['invoice.paid'] }),
  );
  const source = OWN_EVENTS;
  await story.part('the first verified delivery', () => deliverFirst(overlay, publisher, source));
  await disturb(overlay, { trial: overlay, story, publisher, source });
  await story.part('admin verify', () => kubectl.admin('verify'));
  await story.part('kubectl delete -k until no pod is left', async () => {
    await kubectl('delete', 'deployments,cronjobs,services,poddisruptionbudgets', '--all');
    await untilNoPods(kubectl);
  });
}

/** The secret and the catalogue, which are no part of the overlay. */
async function createInputs(overlay: Overlay): Promise<void> {
  const { kubectl } = overlay;
  const secrets = { MONGODB_URI: databaseOf(overlay, 'kustomize'), ENCRYPTION_KEYS: OLD_KEY };
  const literals = Object.entries(secrets).map(([name, value]) => `--from-literal=${name}=${value}`);
  await kubectl('create', 'secret', 'generic', 'postrider-secrets', ...literals);
  await kubectl(
    'create',
    'configmap',
    'postrider-event-catalogue',
    `--from-file=event-types.yaml=${CATALOGUE}`,
  );
}

async function disturb(overlay: Overlay, published: Published): Promise<void> {
  const { kubectl, image } = overlay;
  const first = firstOf(overlay);
  const settings = { ...TRIAL_SETTINGS, LOG_SAMPLE_DELIVERED: '0.02' };
  await underLoad(published, {
    what: 'another image and configuration',
    act: () => apply(overlay, { ...first, tag: image.nextTag, settings }),
  });
  await underLoad(published, { what: 'drain of a node', act: () => drainNode(overlay, kubectl) });
  await underLoad(published, {
    what: 'forced deletion of a pod of each service',
    act: () => killPods(kubectl),
    mayReset: true,
  });
  await underLoad(published, { what: 'return to the first image', act: () => apply(overlay, first) });
  const manifests = await render(overlay, { ...first, components: [...COMPONENTS, 'keda'] });
  await underLoad(published, {
    what: 'KEDA is switched on',
    act: () => switchToKeda({ trial: overlay, kubectl, namespace: NAMESPACE, manifests }),
  });
  await underLoad(published, {
    what: 'rotation of the encryption key',
    act: () => rotateEncryptionKey({ kubectl, oldKey: OLD_KEY, newKey: NEW_KEY }),
  });
}

const firstOf = ({ image }: Overlay): Installation => ({
  tag: image.tag,
  settings: TRIAL_SETTINGS,
  components: COMPONENTS,
});

async function apply(overlay: Overlay, installation: Installation): Promise<void> {
  await overlay.kubectl.apply(await render(overlay, installation));
  await untilRolledOut(overlay.kubectl);
}

interface Installation {
  readonly tag: string;
  readonly settings: object;
  readonly components: readonly string[];
}

/** The production overlay with this trial's servers, as a copy of it would have them; without objects of operators. */
async function render(
  { ways, servers, image }: Overlay,
  { tag, settings, components }: Installation,
): Promise<string> {
  const literals = Object.entries({
    ...settings,
    KAFKA_BROKERS: servers.kafkaBrokers.join(','),
    SCHEMA_REGISTRY_URL: servers.schemaRegistryUrl,
    TOPIC_PREFIX: 'kustomize.',
    TOPIC_PARTITIONS: '6',
    TOPIC_REPLICATION_FACTOR: '1',
  }).map(([name, value]) => `${name}=${value}`);
  const patches = [
    { target: { kind: 'Deployment' }, patch: SMALL('/spec/template') },
    { target: { kind: 'CronJob' }, patch: SMALL('/spec/jobTemplate/spec/template') },
    {
      target: { kind: 'NetworkPolicy', name: 'postrider|postrider-(kafka|mongodb|schema-registry)' },
      patch: OPEN,
    },
  ];
  const manifests = await ways.productionWith(components, { literals, patches });
  return manifests
    .filter((manifest) => !isCustom(manifest))
    .map((manifest) =>
      JSON.stringify(manifest).replaceAll('"postrider:0.1.0"', `"${image.repository}:${tag}"`),
    )
    .join('\n---\n');
}

const OPEN = JSON.stringify([{ op: 'replace', path: '/spec/egress/0/to', value: ANYWHERE }]);

/** The requests of production exceed what a small machine has. */
const SMALL = (template: string) =>
  JSON.stringify([
    { op: 'replace', path: `${template}/spec/containers/0/resources/requests`, value: { cpu: '10m' } },
  ]);
