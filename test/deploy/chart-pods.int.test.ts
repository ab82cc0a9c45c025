import { expect } from 'chai';
import { type PodTemplate, podTemplatesOf } from './pods.js';
import { PRODUCTION } from './variants.js';
import { describeWays, type Ways } from './ways.js';

const NODES = { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [] } } };

describeWays('the pods of the chart', ({ helm }) => {
  const templates = async (ways: Ways, values: object): Promise<readonly PodTemplate[]> => {
    const found = podTemplatesOf(await ways.chart({ ...PRODUCTION, ...values }));
    // Three deployments, the janitor and the test.
    expect(found).to.have.length(5);
    return found;
  };
  const deployed = async (ways: Ways, pods: object) => (await templates(ways, { pods })).slice(0, 3);

  helm('have the labels and annotations of the values beside their own', async (ways) => {
    const pods = { labels: { 'example.com/team': 'hooks' }, annotations: { 'example.com/mesh': 'false' } };
    for (const { metadata } of await templates(ways, { pods })) {
      expect(metadata.labels).to.include({ ...pods.labels, 'app.kubernetes.io/name': 'postrider' });
      expect(metadata.annotations).to.include(pods.annotations);
    }
  });

  helm('keep the labels by which services and policies select them', async (ways) => {
    for (const name of ['name', 'instance', 'component'])
      expect(
        await ways.refusal({ ...PRODUCTION, pods: { labels: { [`app.kubernetes.io/${name}`]: 'mine' } } }),
      ).to.include(`pods.labels has app.kubernetes.io/${name}, by which`);
  });

  helm('use the service account of the values, and then none is created', async (ways) => {
    const accounts = async (values: object) => {
      const objects = await ways.chart({ ...PRODUCTION, ...values });
      return {
        used: new Set(podTemplatesOf(objects).map(({ spec }) => spec.serviceAccountName)),
        created: objects.filter(({ kind }) => kind === 'ServiceAccount').map(({ metadata }) => metadata.name),
      };
    };
    expect(await accounts({})).to.deep.equal({ used: new Set(['postrider']), created: ['postrider'] });
    expect(await accounts({ pods: { serviceAccount: 'hooks' } })).to.deep.equal({
      used: new Set(['hooks']),
      created: [],
    });
  });

  helm('have the priority and the secrets of the registry of the values', async (ways) => {
    const values = { pods: { priorityClassName: 'high' }, image: { pullSecrets: ['login'] } };
    for (const { spec } of await templates(ways, values)) {
      expect(spec.priorityClassName).to.equal('high');
      expect(spec.imagePullSecrets).to.deep.equal([{ name: 'login' }]);
    }
  });

  helm(
    'have the affinity of the values, and prefer different zones unless these say otherwise',
    async (ways) => {
      const [api] = await deployed(ways, {});
      expect(api?.spec.affinity).to.have.all.keys('podAntiAffinity');
      for (const { spec } of await templates(ways, { pods: { affinity: NODES } }))
        expect(spec.affinity).to.deep.include(NODES);
      for (const { spec } of await deployed(ways, { affinity: NODES }))
        expect(spec.affinity?.podAntiAffinity).to.have.all.keys(
          'preferredDuringSchedulingIgnoredDuringExecution',
        );
      const own = { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [] } };
      for (const { spec } of await deployed(ways, { affinity: own }))
        expect(spec.affinity).to.deep.equal(own);
    },
  );

  helm('are spread by the constraints of the values, each service for itself', async (ways) => {
    const zones = {
      maxSkew: 1,
      topologyKey: 'topology.kubernetes.io/zone',
      whenUnsatisfiable: 'DoNotSchedule',
    };
    const own = { ...zones, labelSelector: { matchLabels: { a: 'b' } } };
    const found = await deployed(ways, { topologySpreadConstraints: [zones, own] });
    for (const { spec, metadata } of found)
      expect(spec.topologySpreadConstraints).to.deep.equal([
        { ...zones, labelSelector: { matchLabels: metadata.labels } },
        own,
      ]);
    const components = found.map(({ metadata }) => metadata.labels['app.kubernetes.io/component']);
    expect(components).to.have.members(['api', 'dispatcher', 'dlq-consumer']);
    const [usual] = await deployed(ways, {});
    expect(usual?.spec.topologySpreadConstraints).to.have.length(1);
  });
});
