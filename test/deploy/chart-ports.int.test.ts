import { expect } from 'chai';
import { PRODUCTION } from './variants.js';
import { describeWays } from './ways.js';

const databaseAt = (MONGODB_URI: string) => ({
  secrets: { create: { MONGODB_URI, ENCRYPTION_KEYS: 'k1:99999' } },
});

/** Where the values have addresses, and ports that do not exist. */
const OUT_OF_RANGE: readonly (readonly [string, string, object])[] = [
  ['image.repository', '70000', { image: { repository: 'registry.example.com:70000/postrider' } }],
  ['kafka.brokers', '65536', { kafka: { brokers: 'kafka-0:9092,kafka-1:65536' } }],
  ['kafka.brokers', '0', { kafka: { brokers: '[::1]:0' } }],
  ['schemaRegistry.url', '80810', { schemaRegistry: { url: 'http://registry:80810/apis/ccompat/v7' } }],
  ['secrets.create.MONGODB_URI', '270170', databaseAt('mongodb://a:b@mongo-0:27017,mongo-1:270170/p')],
  ['keda.prometheusAddress', '90900', { keda: { prometheusAddress: 'http://prometheus:90900' } }],
  ['config.EGRESS_PROXY', '9'.repeat(20), { config: { EGRESS_PROXY: `http://proxy:${'9'.repeat(20)}` } }],
  ['config.CONSOLE_URL', '80000', { config: { CONSOLE_URL: 'https://a:80000/console', TRUST_PROXY: 1 } }],
  ['config.MCP_URL', '80000', { config: { MCP_URL: 'https://a:80000/mcp' } }],
  ['test.url', '80000', { test: { url: 'http://a:80000' } }],
  ['config.OUTAGE_GUARD_REFERENCES', '70000', { config: { OUTAGE_GUARD_REFERENCES: 'a:443, b:70000' } }],
  ['config.EGRESS_PORTS', '90000', { config: { EGRESS_PORTS: '443,9000-90000' } }],
  ['config.EGRESS_PORTS', '84430', { config: { EGRESS_PORTS: 84430 } }],
];

describeWays('ports in the values of the chart', ({ helm }) => {
  // Regression: these were accepted, and no process could connect there.
  for (const [name, port, values] of OUT_OF_RANGE)
    helm(`are rejected in ${name}: ${port}`, async (ways) => {
      const error = await ways.refusal({ ...PRODUCTION, ...values });
      expect(error).to.include(`${name} has the port ${port}, but ports are 1 to 65535`);
    });

  helm('may be the largest, and other numbers in addresses are not taken for them', async (ways) => {
    const objects = await ways.chart({
      ...PRODUCTION,
      ...databaseAt('mongodb://a:70000@mongo-0/p?readPreferenceTags=dc:ny,rack:70000'),
      kafka: { brokers: 'kafka-0:65535' },
      schemaRegistry: { url: 'http://registry/apis:70000/v7' },
      config: { EGRESS_PORTS: '443,8443,9000-65535', OUTAGE_GUARD_REFERENCES: '[2001:db8::9]:443' },
    });
    expect(objects.find(({ kind }) => kind === 'ConfigMap')?.data).to.include({
      KAFKA_BROKERS: 'kafka-0:65535',
    });
  });
});
