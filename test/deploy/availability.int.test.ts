import { cpSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { CHART, type Manifest, parseManifests, renderHelm } from './render.js';
import { describedPatches, ONE_PROCESS, PRODUCTION } from './variants.js';
import { describeWays, K8S, type Ways } from './ways.js';

interface Deployment extends Manifest {
  readonly spec: {
    readonly replicas?: number;
    readonly template: {
      readonly spec: {
        readonly topologySpreadConstraints: readonly { readonly topologyKey: string }[];
        readonly affinity: {
          readonly podAntiAffinity: {
            readonly preferredDuringSchedulingIgnoredDuringExecution: readonly {
              readonly podAffinityTerm: { readonly topologyKey: string };
            }[];
          };
        };
        readonly initContainers?: readonly Container[];
        readonly containers: readonly Container[];
      };
    };
  };
}

interface Container {
  readonly terminationMessagePolicy?: string;
  readonly env?: readonly { readonly name: string; readonly value?: string }[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly startupProbe?: { readonly initialDelaySeconds?: number };
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
}

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
  readonly timeoutSeconds: number;
}

const replicasOf = (manifests: readonly Manifest[], component: string) =>
  deploymentsOf(manifests).find(({ metadata }) => metadata.name === `postrider-${component}`)?.spec.replicas;

const deploymentsOf = (manifests: readonly Manifest[]) =>
  manifests.filter(({ kind }) => kind === 'Deployment') as Deployment[];

describeWays('availability in a cluster', ({ helm, kubectl, both }) => {
  const RENDERINGS = [
    ['chart', helm, (ways: Ways) => ways.chart(PRODUCTION)],
    ['kustomize', kubectl, (ways: Ways) => ways.overlay('production')],
    ['chart, one process', helm, (ways: Ways) => ways.chart(ONE_PROCESS)],
    ['kustomize, one process', kubectl, (ways: Ways) => ways.overlay('small')],
  ] as const;
  for (const [name, test, render] of RENDERINGS) {
    test(`${name}: spreads pods over nodes that have no zone label`, async (ways) => {
      for (const { spec } of deploymentsOf(await render(ways))) {
        const { topologySpreadConstraints, affinity } = spec.template.spec;
        const preferred = affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution;
        expect(topologySpreadConstraints.map(({ topologyKey }) => topologyKey)).to.deep.equal([
          'kubernetes.io/hostname',
        ]);
        expect(preferred.map(({ podAffinityTerm }) => podAffinityTerm.topologyKey)).to.deep.equal([
          'topology.kubernetes.io/zone',
        ]);
      }
    });

    test(`${name}: starts probing when a start is usually over, and shows why a container failed`, async (ways) => {
      for (const { spec } of deploymentsOf(await render(ways))) {
        const { initContainers = [], containers } = spec.template.spec;
        for (const { startupProbe } of containers) expect(startupProbe?.initialDelaySeconds).to.equal(5);
        for (const { terminationMessagePolicy } of [...initContainers, ...containers])
          expect(terminationMessagePolicy).to.equal('FallbackToLogsOnError');
      }
    });

    test(`${name}: asks a thread whether a process lives, and its event loop whether it is ready`, async (ways) => {
      for (const { spec } of deploymentsOf(await render(ways))) {
        const [{ env, ports, livenessProbe, readinessProbe }] = spec.template.spec.containers as [Container];
        expect(livenessProbe).to.deep.include({
          httpGet: { path: '/healthz', port: 'liveness' },
          timeoutSeconds: 10,
        });
        const port = ports?.find(({ name: own }) => own === 'liveness')?.containerPort;
        expect(env?.find(({ name: own }) => own === 'LIVENESS_PORT')?.value).to.equal(String(port));
        expect(readinessProbe?.httpGet.path).to.equal('/readyz');
        expect(readinessProbe?.httpGet.port).to.be.oneOf(['http', 'health']);
      }
    });

    test(`${name}: states the type of the service, so that a failed change of it can be undone`, async (ways) => {
      const services = (await render(ways)).filter(({ kind }) => kind === 'Service');
      expect(services.map(({ spec }) => (spec as { type?: string }).type)).to.deep.equal(['ClusterIP']);
    });
  }

  helm('chart: keeps at least the smallest number of pods when KEDA is switched on', async (ways) => {
    const manifests = await ways.chart({ ...PRODUCTION, keda: { enabled: true, minReplicas: 3 } });
    const dispatcher = deploymentsOf(manifests).find(
      ({ metadata }) => metadata.name === 'postrider-dispatcher',
    );
    expect(dispatcher?.spec.replicas).to.equal(3);
  });

  // Regression: each upgrade set the number of api pods again that an autoscaler had changed.
  for (const [name, values, counts] of [
    ['the api', { api: { autoscaled: true } }, { api: 7, dispatcher: 2 }],
    ['an api of at least nine', { api: { autoscaled: true, replicas: 9 } }, { api: 9, dispatcher: 2 }],
    ['the dispatcher', { keda: { enabled: true } }, { api: 3, dispatcher: 7 }],
    ['the one process', { profile: 'all', api: { autoscaled: true } }, { all: 7 }],
    ['nothing', {}, { api: 3, dispatcher: 2 }],
  ] as const)
    helm(`chart: an upgrade keeps the seven pods that run where an autoscaler has ${name}`, async (ways) => {
      const copy = join(ways.place, 'running');
      cpSync(CHART, copy, { recursive: true });
      const file = join(copy, 'templates/_deployment.tpl');
      const template = readFileSync(file, 'utf8');
      // helm template cannot look it up.
      writeFileSync(file, template.replace(/\(lookup [^)]+\)/, '(dict "spec" (dict "replicas" 7))'));
      expect(readFileSync(file, 'utf8')).not.to.equal(template);
      const files = [ways.valuesFile({ ...PRODUCTION, ...values })];
      const manifests = parseManifests(await renderHelm(ways.helm!, files, { chart: copy }));
      for (const [component, count] of Object.entries(counts))
        expect(replicasOf(manifests, component), component).to.equal(count);
    });

  helm('chart: an autoscaled api has at least its replicas', async (ways) => {
    expect(replicasOf(await ways.chart({ ...PRODUCTION, api: { autoscaled: true } }), 'api')).to.equal(3);
  });

  kubectl(
    'kustomize: the patch of the production overlay for an autoscaler removes the count',
    async (ways) => {
      const patches = describedPatches(({ patch }) => patch.includes('/spec/replicas'));
      expect(patches).to.have.length(1);
      expect(replicasOf(await ways.productionWith([], { patches }), 'api')).to.equal(undefined);
    },
  );

  both(
    'kustomize: scales by the prefixed topics after the patches that the component describes',
    async (ways) => {
      const described = readFileSync(join(K8S, 'components/keda/kustomization.yaml'), 'utf8');
      const patch = Array.from(
        described.matchAll(/^# +(- \{ op: replace, .*\})$/gm),
        ([, line]) => line,
      ).join('\n');
      const target = { kind: 'ScaledObject', name: 'postrider-dispatcher' };
      const overlay = await ways.productionWith(['keda'], {
        literals: ['TOPIC_PREFIX=acme.'],
        patches: [{ target, patch }],
      });
      const chart = await ways.chart({ ...PRODUCTION, topics: { prefix: 'acme.' }, keda: { enabled: true } });
      expect(kafkaTriggersOf(overlay)).to.deep.equal(kafkaTriggersOf(chart));
      const sources = kafkaTriggersOf(overlay).map(({ consumerGroup, topic }) => [consumerGroup, topic]);
      expect(sources).to.deep.equal([
        ['acme.dispatcher', 'acme.webhook.deliveries'],
        ['acme.fan-out', 'acme.workspace.events'],
      ]);
    },
  );

  helm(
    'chart: its notes name the logs of all pods, with the pod before each line, also while containers wait',
    async (ways) => {
      const copy = join(ways.place, 'chart');
      cpSync(CHART, copy, { recursive: true });
      // Helm prints notes on an installation only: rendered as a value they need no cluster.
      renameSync(join(copy, 'templates/NOTES.txt'), join(copy, 'notes.txt'));
      writeFileSync(
        join(copy, 'templates/notes.yaml'),
        'kind: Notes\nmetadata: { name: notes }\ntext: {{ tpl (.Files.Get "notes.txt") . | quote }}\n',
      );
      const manifests = parseManifests(
        await renderHelm(ways.helm!, [ways.valuesFile(PRODUCTION)], { chart: copy }),
      );
      const notes = manifests.find(({ kind }) => kind === 'Notes')?.text;
      expect(notes).to.match(
        /logs --selector app\.kubernetes\.io\/instance=postrider --all-containers --prefix --ignore-errors/,
      );
      expect(notes).to.match(/exec service\/postrider-api -c postrider/);
    },
  );
});

function kafkaTriggersOf(manifests: readonly Manifest[]): readonly Readonly<Record<string, string>>[] {
  const scaled = manifests.find(({ kind }) => kind === 'ScaledObject')?.spec as
    | { readonly triggers: readonly { type: string; metadata: Record<string, string> }[] }
    | undefined;
  return (scaled?.triggers ?? []).flatMap(({ type, metadata }) => (type === 'kafka' ? [metadata] : []));
}
