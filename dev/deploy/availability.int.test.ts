import { expect } from 'chai';
import type { Manifest } from './render.js';
import { PRODUCTION } from './variants.js';
import { openWays, type Ways } from './ways.js';

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

describe('availability in a cluster', function () {
  this.timeout(900_000);
  let ways: Ways;
  before(async () => {
    ways = await openWays(() => {});
  });
  after(() => ways?.close());

  const RENDERINGS = {
    chart: () => ways.chart(PRODUCTION),
    kustomize: () => ways.overlay('production'),
  };
  for (const [name, render] of Object.entries(RENDERINGS)) {
    const deployments = async function (this: Mocha.Context) {
      if (name === 'chart' ? ways.helm === null : !ways.hasKubectl) this.skip();
      return deploymentsOf(await render());
    };

    it(`${name}: spreads pods over nodes that have no zone label`, async function () {
      for (const { spec } of await deployments.call(this)) {
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

    it(`${name}: starts probing when a start is usually over, and shows why a container failed`, async function () {
      for (const { spec } of await deployments.call(this)) {
        const { initContainers = [], containers } = spec.template.spec;
        for (const { startupProbe } of containers) expect(startupProbe?.initialDelaySeconds).to.equal(5);
        for (const { terminationMessagePolicy } of [...initContainers, ...containers])
          expect(terminationMessagePolicy).to.equal('FallbackToLogsOnError');
      }
    });

    it(`${name}: states the type of the service, so that a failed change of it can be undone`, async function () {
      await deployments.call(this);
      const services = (await render()).filter(({ kind }) => kind === 'Service');
      expect(services.map(({ spec }) => (spec as { type?: string }).type)).to.deep.equal(['ClusterIP']);
    });
  }

  it('chart: keeps at least the smallest number of pods when KEDA is switched on', async function () {
    if (ways.helm === null) this.skip();
    const manifests = await ways.chart({ ...PRODUCTION, keda: { enabled: true, minReplicas: 3 } });
    const dispatcher = deploymentsOf(manifests).find(
      ({ metadata }) => metadata.name === 'postrider-dispatcher',
    );
    expect(dispatcher?.spec.replicas).to.equal(3);
  });
});
