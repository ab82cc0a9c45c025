import { expect } from 'chai';
import { reaches, type Target } from './reach.js';
import type { Manifest } from './render.js';
import { OPERATED, PRODUCTION } from './variants.js';
import { describeWays } from './ways.js';

const ours = (component: string) => ({
  labels: {
    'app.kubernetes.io/name': 'postrider',
    'app.kubernetes.io/instance': 'postrider',
    'app.kubernetes.io/component': component,
  },
});
const PORTS = { http: 8080, health: 8081, metrics: 9464 };
const API: Target = { ...ours('api'), ports: PORTS, port: PORTS.http };
const HEALTH: Target = { ...ours('dispatcher'), ports: PORTS, port: PORTS.health };
const elsewhere = (port: number, protocol: 'TCP' | 'UDP' = 'TCP'): Target => ({
  elsewhere: true,
  port,
  protocol,
});
const SERVICES = ['api', 'dispatcher', 'dlq-consumer', 'janitor', 'test'];

describeWays('network policies', ({ helm, kubectl }) => {
  const check = (policies: readonly Manifest[]) => {
    for (const service of SERVICES) {
      for (const port of [9092, 8081, 27017, 53])
        expect(reaches(policies, ours(service), elsewhere(port)), `${service} → ${port}`).to.equal(true);
      expect(reaches(policies, ours(service), elsewhere(53, 'UDP')), `${service} → names`).to.equal(true);
      expect(reaches(policies, ours(service), elsewhere(6379)), `${service} → 6379`).to.equal(false);
    }
    // Regression: egress of the `helm test` pod was blocked, so the test failed on installations with policies.
    expect(reaches(policies, ours('test'), API), 'test → api').to.equal(true);
    expect(reaches(policies, { labels: { app: 'ingress' } }, API), 'any pod → api').to.equal(true);
    expect(reaches(policies, ours('janitor'), API), 'janitor → api').to.equal(false);
    expect(reaches(policies, { labels: {} }, HEALTH), 'any pod → health').to.equal(false);
    expect(reaches(policies, { labels: {} }, { ...HEALTH, port: PORTS.metrics })).to.equal(true);
  };

  helm('of the chart allow the required connections and no others inside', async (ways) => {
    const objects = await ways.chart(OPERATED);
    const test = objects.find(({ kind }) => kind === 'Pod');
    expect(test?.metadata).to.have.property('labels').that.includes(ours('test').labels);
    check(objects);
  });

  kubectl('of the kustomize component allow the required connections and no others inside', async (ways) => {
    check(await ways.productionWith(['network-policies']));
  });

  kubectl('of the kustomize component accept an additional port from the overlay', async (ways) => {
    const patch = {
      target: { kind: 'NetworkPolicy', name: 'postrider' },
      patch: '- { op: add, path: /spec/egress/1/ports/-, value: { port: 4318, protocol: TCP } }',
    };
    const policies = await ways.productionWith(['network-policies'], { patches: [patch] });
    expect(reaches(policies, ours('api'), elsewhere(4318))).to.equal(true);
  });

  /** Regression: a fixed list of 9092, 9093, 27017 and 8081 silently blocked every other port. */
  const ADDRESSES: readonly (readonly [string, object, number])[] = [
    ['the brokers', { kafka: { brokers: 'a:9092,b:9094' } }, 9094],
    ['a broker with a bare address', { kafka: { brokers: '[fd00::1]:9095' } }, 9095],
    ['the registry', { schemaRegistry: { url: 'https://registry.example.com:8443/v1' } }, 8443],
    [
      'a registry at the port of its scheme',
      { schemaRegistry: { url: 'https://registry.example.com' } },
      443,
    ],
    ['a registry without TLS', { schemaRegistry: { url: 'http://user@registry/apis' } }, 80],
    ['the collector', { config: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://otel.tracing:4318' } }, 4318],
    [
      'a database in the values',
      {
        secrets: {
          create: { MONGODB_URI: 'mongodb://u:p%40:1@a:27018,b/p?replicaSet=rs0', ENCRYPTION_KEYS: 'x' },
        },
      },
      27018,
    ],
    ['the configured platform ports', { networkPolicies: { enabled: true, platformPorts: [27019] } }, 27019],
  ];
  for (const [what, values, port] of ADDRESSES) {
    helm(`let through the port of ${what}`, async (ways) => {
      const objects = await ways.chart({ ...PRODUCTION, networkPolicies: { enabled: true }, ...values });
      expect(reaches(objects, ours('api'), elsewhere(port))).to.equal(true);
    });
  }
});
