import { expect } from 'chai';
import type { Manifest } from './render.js';
import { PRODUCTION } from './variants.js';
import { describeWays, type Ways } from './ways.js';

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
  readonly startupProbe?: { readonly initialDelaySeconds?: number };
}

const deploymentsOf = (manifests: readonly Manifest[]) =>
  manifests.filter(({ kind }) => kind === 'Deployment') as Deployment[];

describeWays('availability in a cluster', ({ helm, kubectl }) => {
  const RENDERINGS = [
    ['chart', helm, (ways: Ways) => ways.chart(PRODUCTION)],
    ['kustomize', kubectl, (ways: Ways) => ways.overlay('production')],
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
});
