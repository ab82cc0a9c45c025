import { randomBytes } from 'node:crypto';
import { rateOf } from '../load/rate.js';
import { OWN_EVENTS } from '../load/sources.js';
import { type Kubectl, untilNoPods, untilRolledOut, withNamespace } from '../tools.js';
import { databaseOf, type Trial } from '../trial.js';
import { admitReceiver } from './admit-receiver.js';
import { drainNode, killPods } from './disturb.js';
import { policyPatches, SMALL, WITHOUT_SCALER } from './overlay-patches.js';
import { copyProduction, type ProductionCopy } from './production-copy.js';
import { rotateEncryptionKey } from './rotate-encryption-key.js';
import { runJanitor } from './run-janitor.js';
import { deliverFirst, setUpWorkspace } from './set-up-workspace.js';
import type { Step, Story } from './step.js';
import { switchToKeda } from './switch-to-keda.js';
import { type Published, underLoad } from './under-load.js';
import { trialSettings } from './values.js';

const NAMESPACE = 'postrider-kustomize';
const [OLD_KEY, NEW_KEY] = ['k1', 'k2'].map((id) => `${id}:${randomBytes(32).toString('base64')}`) as [
  string,
  string,
];
const COMPONENTS = ['event-catalogue', 'network-policies'];

export const kustomize: Step = {
  name: 'kustomize',
  about: 'applies, changes and deletes the production overlay under load',
  run(trial, story) {
    const copy = copyProduction();
    const work = (kubectl: Kubectl) => tryOverlay({ ...trial, copy, kubectl }, story);
    return trial.undo.around(
      () => withNamespace(trial, NAMESPACE, work),
      async () => copy.remove(),
    );
  },
};

type Overlay = Trial & { readonly copy: ProductionCopy; readonly kubectl: Kubectl };

async function tryOverlay(overlay: Overlay, story: Story): Promise<void> {
  const { kubectl, copy } = overlay;
  await createSecret(overlay);
  await story.part('kubectl apply -k until every pod is ready', () => applyAndWait(overlay, {}));
  await admitReceiver(overlay, kubectl);
  await story.part('admin self-test', () => kubectl.admin('self-test', '--api-url', 'http://127.0.0.1:8080'));
  const { endpoints } = rateOf(overlay.perSecond);
  const publisher = await story.part('workspace, token and endpoints', () =>
    setUpWorkspace(overlay, kubectl, { endpoints, eventTypes: ['invoice.paid'] }),
  );
  const source = OWN_EVENTS;
  await story.part('the first verified delivery', () => deliverFirst(overlay, publisher, source));
  await disturb(overlay, { trial: overlay, story, publisher, source });
  await story.part('janitor from its CronJob', () => runJanitor(kubectl));
  await story.part('admin verify', () => kubectl.admin('verify'));
  await story.part('kubectl delete -k until no pod is left', async () => {
    await kubectl('delete', '-k', copy.directory);
    await untilNoPods(kubectl);
  });
}

/** The secret is no part of the overlay. */
async function createSecret(overlay: Overlay): Promise<void> {
  const secrets = { MONGODB_URI: databaseOf(overlay, 'kustomize'), ENCRYPTION_KEYS: OLD_KEY };
  const literals = Object.entries(secrets).map(([name, value]) => `--from-literal=${name}=${value}`);
  await overlay.kubectl('create', 'secret', 'generic', 'postrider-secrets', ...literals);
}

async function disturb(overlay: Overlay, published: Published): Promise<void> {
  const { kubectl, image } = overlay;
  await underLoad(published, {
    what: 'another image and configuration',
    act: () => applyAndWait(overlay, { tag: image.nextTag, settings: { LOG_SAMPLE_DELIVERED: '0.02' } }),
  });
  await underLoad(published, { what: 'drain of a node', act: () => drainNode(overlay, kubectl) });
  await underLoad(published, {
    what: 'forced deletion of a pod of each service',
    act: () => killPods(kubectl),
    mayReset: true,
  });
  await underLoad(published, { what: 'return to the first image', act: () => applyAndWait(overlay, {}) });
  const scaled = { components: [...COMPONENTS, 'keda'], patches: [WITHOUT_SCALER] };
  await underLoad(published, {
    what: 'KEDA is switched on',
    act: () =>
      switchToKeda({ trial: overlay, kubectl, namespace: NAMESPACE, apply: () => apply(overlay, scaled) }),
  });
  await underLoad(published, {
    what: 'rotation of the encryption key',
    act: () => rotateEncryptionKey({ kubectl, oldKey: OLD_KEY, newKey: NEW_KEY }),
  });
}

/** How an installation differs from the first one. */
interface Difference {
  readonly tag?: string;
  readonly settings?: Readonly<Record<string, string>>;
  readonly components?: readonly string[];
  readonly patches?: readonly object[];
}

async function applyAndWait(overlay: Overlay, difference: Difference): Promise<void> {
  await apply(overlay, difference);
  await untilRolledOut(overlay.kubectl);
}

async function apply(overlay: Overlay, difference: Difference): Promise<string> {
  const { servers, image, copy, kubectl } = overlay;
  const { tag = image.tag, settings, components = COMPONENTS, patches = [] } = difference;
  copy.change({
    image: { repository: image.repository, tag },
    settings: {
      ...trialSettings(overlay),
      ...settings,
      KAFKA_BROKERS: servers.kafkaBrokers.join(','),
      SCHEMA_REGISTRY_URL: servers.schemaRegistryUrl,
      TOPIC_PREFIX: 'kustomize.',
      TOPIC_PARTITIONS: '6',
      TOPIC_REPLICATION_FACTOR: '1',
    },
    components,
    patches: [...SMALL, ...policyPatches(overlay), ...patches],
  });
  return kubectl('apply', '-k', copy.directory);
}
