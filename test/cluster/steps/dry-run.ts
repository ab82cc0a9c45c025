import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '#dev/start/paths';
import type { Manifest } from '../../deploy/render.js';
import {
  ALL,
  CLIENT_SETTINGS,
  COMPONENTS,
  KEDA_LOGIN,
  PRODUCTION,
  SCALED_SECURELY,
  TLS_SETTINGS,
} from '../../deploy/variants.js';
import { openWays, type Ways } from '../../deploy/ways.js';
import { kubectlIn, namesOf, withNamespace } from '../tools.js';
import type { Trial } from '../trial.js';
import type { Step, Story } from './step.js';

const NAMESPACE = 'postrider-dry-run';
/** The overlay has a namespace of its own, which a dry run does not create. */
const DEMO = 'postrider-demo';
/** Objects of operators that this cluster does not run: without their schemas they would be unknown. */
const CUSTOM = [
  { group: 'keda.sh', version: 'v1alpha1', kind: 'ScaledObject', schema: 'scaled-object.json' },
  {
    group: 'keda.sh',
    version: 'v1alpha1',
    kind: 'TriggerAuthentication',
    schema: 'trigger-authentication.json',
  },
  { group: 'monitoring.coreos.com', version: 'v1', kind: 'PodMonitor', schema: 'pod-monitor.json' },
  { group: 'monitoring.coreos.com', version: 'v1', kind: 'PrometheusRule', schema: 'prometheus-rule.json' },
];

const DEFINITIONS = 'customresourcedefinitions';

export const dryRun: Step = {
  name: 'dry-run',
  about: 'has the API server validate every rendering, without a warning',
  async run(trial, story) {
    const ways = await openWays(trial.report);
    try {
      await withCustomObjects(trial, story, () => validate(trial, story, ways));
    } finally {
      ways.close();
    }
  },
};

async function validate(trial: Trial, story: Story, ways: Ways): Promise<void> {
  await withNamespace(trial, NAMESPACE, async (kubectl) => {
    for (const [what, rendered] of Object.entries(renderings(ways)))
      await story.part(`dry run: ${what}`, async () =>
        kubectl.apply(textOf((await rendered()).filter(isInstalled)), ...STRICT),
      );
  });
  await withNamespace(trial, DEMO, (kubectl) =>
    story.part('dry run: overlay demo', async () =>
      kubectl.apply(textOf(await ways.overlay('demo')), ...STRICT),
    ),
  );
}

const STRICT = ['--dry-run=server', '--validate=strict', '--warnings-as-errors'];

const textOf = (manifests: readonly Manifest[]) =>
  manifests.map((manifest) => JSON.stringify(manifest)).join('\n---\n');

/** The pod of `helm test` needs the installed service account. */
const isInstalled = ({ metadata }: Manifest) => metadata.annotations?.['helm.sh/hook'] === undefined;

function renderings(ways: Ways): Readonly<Record<string, () => Promise<Manifest[]>>> {
  return {
    'chart, defaults': () => ways.chart(PRODUCTION),
    'chart, everything': () => ways.chart(ALL),
    'chart, scaled by a secured broker': () => ways.chart(SCALED_SECURELY),
    'chart, one process': () => ways.chart({ ...PRODUCTION, profile: 'all' }),
    'overlay production': () => ways.overlay('production'),
    'overlay small': () => ways.overlay('small'),
    'overlay production, every component': () =>
      ways.productionWith(COMPONENTS, {
        literals: [...TLS_SETTINGS, ...CLIENT_SETTINGS],
        patches: [KEDA_LOGIN],
      }),
    ...Object.fromEntries(
      COMPONENTS.filter((name) => name !== 'keda-secured').map((name) => [
        `component ${name}`,
        () => ways.productionWith([name]),
      ]),
    ),
  };
}

/** Defines the custom objects that the cluster does not have, and removes these definitions after the work. */
async function withCustomObjects(
  { cluster, undo }: Trial,
  story: Story,
  work: () => Promise<void>,
): Promise<void> {
  const kubectl = kubectlIn(cluster, 'default');
  const present = await namesOf(kubectl, DEFINITIONS);
  const missing = CUSTOM.filter((custom) => !present.some((one) => one.endsWith(`/${nameOf(custom)}`)));
  const define = async () => {
    for (const custom of missing) await kubectl.apply(JSON.stringify(definitionOf(custom)), '--server-side');
    const names = CUSTOM.map(nameOf);
    await kubectl('wait', '--for=condition=Established', DEFINITIONS, ...names, '--timeout=60s');
  };
  const remove = async () => {
    if (missing.length > 0)
      await kubectl('delete', DEFINITIONS, ...missing.map(nameOf), '--ignore-not-found', '--timeout=60s');
  };
  await undo.around(
    () => story.part('schemas of KEDA and of the Prometheus operator', define).then(work),
    remove,
  );
}

type Custom = (typeof CUSTOM)[number];

const pluralOf = ({ kind }: Custom): string => `${kind.toLowerCase()}s`;
const nameOf = (custom: Custom): string => `${pluralOf(custom)}.${custom.group}`;

function definitionOf(custom: Custom): object {
  const { group, version, kind, schema: file } = custom;
  const schema = JSON.parse(readFileSync(join(ROOT, 'test/deploy/schemas', file), 'utf8'));
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: nameOf(custom) },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind, plural: pluralOf(custom), singular: kind.toLowerCase() },
      versions: [{ name: version, served: true, storage: true, schema: { openAPIV3Schema: schema } }],
    },
  };
}
