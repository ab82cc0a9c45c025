import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { ROOT } from '#dev/start/places';
import { isCustom } from '../../deploy/custom-objects.js';
import { openWays } from '../../deploy/ways.js';
import { rateOf } from '../load/rate.js';
import { OWN_EVENTS } from '../load/sources.js';
import { untilNoPods, untilRolledOut, withNamespace } from '../tools.js';
import { databaseOf, type Trial } from '../trial.js';
import { ANYWHERE } from './helm.js';
import { rotateEncryptionKey } from './rotate-encryption-key.js';
import { deliverFirst, setUpWorkspace } from './set-up-workspace.js';
import type { Step, Story } from './step.js';
import { switchToKeda } from './switch-to-keda.js';
import { underLoad } from './under-load.js';
import { TRIAL_SETTINGS } from './values.js';

const CATALOGUE = join(ROOT, 'docs/event-types.yaml');
const NAMESPACE = 'postrider-kustomize';
const COMPONENTS = ['event-catalogue', 'network-policies'];

export const kustomize: Step = {
  name: 'kustomize',
  about: 'applies, changes and deletes the production overlay under load',
  async run(trial, story) {
    const ways = await openWays(trial.report);
    try {
      await withNamespace(trial.cluster, NAMESPACE, (kubectl) =>
        tryOverlay({ ...trial, ways, kubectl }, story),
      );
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
  const { kubectl, image } = overlay;
  const secrets = {
    MONGODB_URI: databaseOf(overlay, 'kustomize'),
    ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 9).toString('base64')}`,
  };
  const literals = Object.entries(secrets).map(([name, value]) => `--from-literal=${name}=${value}`);
  await kubectl('create', 'secret', 'generic', 'postrider-secrets', ...literals);
  await kubectl(
    'create',
    'configmap',
    'postrider-event-catalogue',
    `--from-file=event-types.yaml=${CATALOGUE}`,
  );
  const apply = async (installation: Installation) => {
    await kubectl.apply(await render(overlay, installation));
    await untilRolledOut(kubectl);
  };
  const first = { tag: image.tag, settings: TRIAL_SETTINGS, components: COMPONENTS };
  await story.part('kubectl apply -k until every pod is ready', () => apply(first));
  const { endpoints } = rateOf(overlay.perSecond);
  const publisher = await story.part('workspace, token and endpoints', () =>
    setUpWorkspace(overlay, kubectl, { endpoints, eventTypes: ['invoice.paid'] }),
  );
  const source = OWN_EVENTS;
  await story.part('the first verified delivery', () => deliverFirst(overlay, publisher, source));
  const settings = { ...TRIAL_SETTINGS, LOG_SAMPLE_DELIVERED: '0.02' };
  const second = { ...first, tag: image.nextTag, settings };
  const disrupt = (what: string, act: () => Promise<unknown>) =>
    underLoad({ trial: overlay, story, publisher, source }, { what, act });
  await disrupt('another image and configuration', () => apply(second));
  const scaled = { ...second, components: [...COMPONENTS, 'keda'] };
  await disrupt('KEDA is switched on', async () =>
    switchToKeda({
      trial: overlay,
      kubectl,
      namespace: NAMESPACE,
      manifests: await render(overlay, scaled),
    }),
  );
  await disrupt('rotation of the encryption key', () =>
    rotateEncryptionKey({
      kubectl,
      oldKey: secrets.ENCRYPTION_KEYS,
      newKey: `k2:${randomBytes(32).toString('base64')}`,
    }),
  );
  await story.part('admin verify', () => kubectl.admin('verify'));
  await story.part('kubectl delete -k until no pod is left', async () => {
    await kubectl('delete', 'deployments,cronjobs,services,poddisruptionbudgets', '--all');
    await untilNoPods(kubectl);
  });
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
