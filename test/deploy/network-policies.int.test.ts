import { expect } from 'chai';
import { reaches, type Target } from './reach.js';
import type { Manifest } from './render.js';
import { ONE_PROCESS, OPERATED, POLICIES, PRODUCTION } from './variants.js';
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
const inNamespace = (namespace: string, port: number, protocol: 'TCP' | 'UDP' = 'TCP'): Target => ({
  address: '10.1.2.3',
  namespace,
  port,
  protocol,
});
const SERVICES = ['api', 'dispatcher', 'dlq-consumer', 'janitor', 'test'];
/** Where each port must be open, and nowhere else. */
const SERVERS: readonly (readonly [number, string])[] = [
  [9092, 'kafka'],
  [8081, 'kafka'],
  [27017, 'mongodb'],
  [53, 'kube-system'],
];
const RECEIVER: Target = { address: '203.0.113.7', port: 8443 };

function expectBothProfiles(policies: readonly Manifest[]) {
  for (const component of ['dispatcher', 'all'])
    expect(reaches(policies, ours(component), RECEIVER), `${component} → a receiver`).to.equal(true);
  for (const component of ['api', 'all']) {
    const target: Target = { ...ours(component), ports: PORTS, port: PORTS.http };
    expect(reaches(policies, ours('test'), target), `test → ${component}`).to.equal(true);
    expect(reaches(policies, { labels: { app: 'ingress' } }, target), `any pod → ${component}`).to.equal(
      true,
    );
  }
  expect(reaches(policies, ours('dlq-consumer'), RECEIVER), 'dlq-consumer → a receiver').to.equal(false);
}

describeWays('network policies', ({ helm, kubectl }) => {
  const check = (policies: readonly Manifest[]) => {
    for (const service of SERVICES) {
      for (const [port, home] of SERVERS)
        for (const namespace of ['kafka', 'mongodb', 'kube-system', 'default'])
          expect(
            reaches(policies, ours(service), inNamespace(namespace, port)),
            `${service} → ${namespace}:${port}`,
          ).to.equal(namespace === home);
      const names = inNamespace('kube-system', 53, 'UDP');
      expect(reaches(policies, ours(service), names), `${service} → names`).to.equal(true);
      expect(reaches(policies, ours(service), RECEIVER), `${service} → a receiver`).to.equal(
        service === 'dispatcher',
      );
      const database: Target = { address: '10.20.0.7', port: 27017 };
      expect(reaches(policies, ours(service), database), `${service} → an address`).to.equal(false);
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

  // Regression: pods of the other profile, which an upgrade starts first, reached no receiver, and their failures were counted.
  helm('of the chart apply to the pods of both profiles', async (ways) => {
    for (const values of [PRODUCTION, ONE_PROCESS])
      expectBothProfiles(await ways.chart({ ...values, networkPolicies: POLICIES }));
  });

  kubectl('of the kustomize component apply to the pods of both profiles', async (ways) => {
    expectBothProfiles(await ways.productionWith(['network-policies']));
    expectBothProfiles(
      await ways.productionWith(['network-policies', 'one-process'], { base: 'overlays/small' }),
    );
  });

  kubectl('of the kustomize component accept other addresses and ports from the overlay', async (ways) => {
    const policies = await ways.productionWith(['network-policies'], { patches: [MANAGED_KAFKA] });
    const broker = { address: '10.20.0.7', port: 9094 };
    expect(reaches(policies, ours('api'), broker)).to.equal(true);
    expect(reaches(policies, ours('api'), { ...broker, address: '10.21.0.7' })).to.equal(false);
    expect(reaches(policies, ours('api'), inNamespace('kafka', 9094))).to.equal(false);
  });

  /** Regression: a fixed list of 9092, 9093, 27017 and 8081 silently blocked every other port. */
  const ADDRESSES: readonly (readonly [string, string, object, number])[] = [
    ['the brokers', 'kafka', { kafka: { brokers: 'a:9092,b:9094' } }, 9094],
    ['a broker with a bare address', 'kafka', { kafka: { brokers: '[fd00::1]:9095' } }, 9095],
    ['the registry', 'schemaRegistry', { schemaRegistry: { url: 'https://registry.test:8443/v1' } }, 8443],
    [
      'a registry at the port of its scheme',
      'schemaRegistry',
      { schemaRegistry: { url: 'https://registry.test' } },
      443,
    ],
    [
      'a registry without TLS',
      'schemaRegistry',
      { schemaRegistry: { url: 'http://user@registry/apis' } },
      80,
    ],
    [
      'the collector',
      'collector',
      { config: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://otel.tracing:4318' } },
      4318,
    ],
    [
      'a database in the values',
      'mongodb',
      {
        secrets: {
          create: { MONGODB_URI: 'mongodb://u:p%40:1@a:27018,b/p?replicaSet=rs0', ENCRYPTION_KEYS: 'x' },
        },
      },
      27018,
    ],
  ];
  for (const [what, name, values, port] of ADDRESSES) {
    helm(`open the port of ${what} towards its peers alone`, async (ways) => {
      const networkPolicies = { ...POLICIES, [name]: { to: [{ ipBlock: { cidr: '10.20.0.0/16' } }] } };
      const objects = await ways.chart({ ...PRODUCTION, networkPolicies, ...values });
      expect(reaches(objects, ours('api'), { address: '10.20.0.7', port })).to.equal(true);
      expect(reaches(objects, ours('api'), { address: '10.21.0.7', port })).to.equal(false);
    });
  }

  helm('open the port of the authorization server for the api alone', async (ways) => {
    const authorizationServer = { to: [{ ipBlock: { cidr: '10.40.0.0/16' } }] };
    const networkPolicies = { ...POLICIES, authorizationServer };
    const config = { OAUTH_ISSUER: 'https://login.test:8443/realm', MCP_URL: 'https://hooks.test/mcp' };
    const objects = await ways.chart({ ...PRODUCTION, networkPolicies, config });
    for (const service of SERVICES)
      expect(reaches(objects, ours(service), { address: '10.40.0.7', port: 8443 }), service).to.equal(
        service === 'api',
      );
    expect(reaches(objects, ours('api'), { address: '10.41.0.7', port: 8443 })).to.equal(false);
    const elsewhere = { ...config, OAUTH_JWKS_URL: 'https://keys.test/jwks' };
    const others = await ways.chart({ ...PRODUCTION, networkPolicies, config: elsewhere });
    expect(reaches(others, ours('api'), { address: '10.40.0.7', port: 443 })).to.equal(true);
  });

  helm('open a further port of a server, which its brokers advertise', async (ways) => {
    const networkPolicies = { ...POLICIES, kafka: { ...POLICIES.kafka, ports: [9093] } };
    const objects = await ways.chart({ ...PRODUCTION, networkPolicies });
    for (const port of [9092, 9093])
      expect(reaches(objects, ours('api'), inNamespace('kafka', port))).to.equal(true);
  });

  helm('open only the ports of receivers that EGRESS_PORTS names', async (ways) => {
    const openWith = async (EGRESS_PORTS: string) => {
      const objects = await ways.chart({
        ...PRODUCTION,
        networkPolicies: POLICIES,
        config: { EGRESS_PORTS },
      });
      return [443, 9000, 9050, 9100, 80, 9101].filter((port) =>
        reaches(objects, ours('dispatcher'), { ...RECEIVER, port }),
      );
    };
    expect(await openWith('443, 9000-9100')).to.deep.equal([443, 9000, 9050, 9100]);
    // Regression: an empty item, which the services ignore, was a rule without a port: every port was open.
    expect(await openWith('443, ,9000-9100,')).to.deep.equal([443, 9000, 9050, 9100]);
    expect(await openWith(' , ')).to.deep.equal([443, 9000, 9050, 9100, 80, 9101]);
  });

  // Regression: YAML reads a single port as a number, which the schema accepts and the template could not split.
  helm('open the only port of receivers when EGRESS_PORTS is a number', async (ways) => {
    const objects = await ways.chart({
      ...PRODUCTION,
      networkPolicies: POLICIES,
      config: { EGRESS_PORTS: 8443 },
    });
    const open = [443, 8443, 80].filter((port) =>
      reaches(objects, ours('dispatcher'), { ...RECEIVER, port }),
    );
    expect(open).to.deep.equal([8443]);
  });

  helm('leave the dispatcher only the way through its proxy', async (ways) => {
    const egressProxy = { to: [{ ipBlock: { cidr: '10.30.0.5/32' } }] };
    const networkPolicies = { ...POLICIES, egressProxy };
    const config = { EGRESS_PROXY: 'http://proxy.egress:3128' };
    const objects = await ways.chart({ ...PRODUCTION, networkPolicies, config });
    expect(reaches(objects, ours('dispatcher'), { address: '10.30.0.5', port: 3128 })).to.equal(true);
    expect(reaches(objects, ours('dispatcher'), RECEIVER)).to.equal(false);
    expect(reaches(objects, ours('api'), { address: '10.30.0.5', port: 3128 })).to.equal(false);
  });

  const REFUSED: readonly (readonly [string, object, string])[] = [
    ['no peers of the broker', { networkPolicies: { ...POLICIES, kafka: {} } }, 'networkPolicies.kafka.to'],
    [
      'no peers of a proxy',
      { networkPolicies: POLICIES, config: { EGRESS_PROXY: 'http://proxy:3128' } },
      'networkPolicies.egressProxy.to',
    ],
    [
      'no peers of the authorization server',
      {
        networkPolicies: POLICIES,
        config: { OAUTH_ISSUER: 'https://login.test', MCP_URL: 'https://hooks.test/mcp' },
      },
      'networkPolicies.authorizationServer.to',
    ],
    [
      'no port of a proxy that a secret contains',
      { networkPolicies: { ...POLICIES, egressProxy: { to: [{ podSelector: {} }] } } },
      'networkPolicies.egressProxy.ports',
    ],
    [
      'an empty peer, which would be every address',
      { networkPolicies: { ...POLICIES, kafka: { to: [{}] } } },
      'networkPolicies.kafka.to',
    ],
  ];
  for (const [what, values, name] of REFUSED) {
    helm(`are refused with ${what}`, async (ways) => {
      const refusal = await ways.chart({ ...PRODUCTION, ...values }).then(
        () => '',
        (error: unknown) => String(error),
      );
      expect(refusal.replaceAll('/', '.')).to.contain(name);
    });
  }
});

/** As the comment in the component shows it. */
const MANAGED_KAFKA = {
  target: { kind: 'NetworkPolicy', name: 'postrider-kafka' },
  patch: [
    '- { op: replace, path: /spec/egress/0/to, value: [{ ipBlock: { cidr: 10.20.0.0/16 } }] }',
    '- { op: replace, path: /spec/egress/0/ports/0/port, value: 9094 }',
  ].join('\n'),
};
