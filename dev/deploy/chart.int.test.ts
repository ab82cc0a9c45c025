import { expect } from 'chai';
import { stringify } from 'yaml';
import type { Manifest } from './render.js';
import { PRODUCTION } from './variants.js';
import { openWays, type Ways } from './ways.js';

describe('the chart', function () {
  this.timeout(900_000);
  let ways: Ways;
  before(async () => {
    ways = await openWays((line) => console.log(`      ${line}`));
  });
  after(() => ways?.close());

  const REFUSED: readonly (readonly [string, object, RegExp])[] = [
    ['an address that is missing', {}, /kafka\.brokers is missing/],
    [
      'a secret that is missing',
      { ...PRODUCTION, secrets: {} },
      /MONGODB_URI is missing: give secrets\.existingSecret/,
    ],
    ['a broker without a port', { ...PRODUCTION, kafka: { brokers: 'kafka' } }, /\/kafka\/brokers/],
    [
      'an unknown login',
      { ...PRODUCTION, kafka: { ...PRODUCTION.kafka, sasl: { mechanism: 'md5' } } },
      /\/kafka\/sasl\/mechanism.*one of '', 'plain', 'scram-sha-256', 'scram-sha-512'/,
    ],
    [
      'a login without a password',
      {
        ...PRODUCTION,
        secrets: { create: { MONGODB_URI: 'x', ENCRYPTION_KEYS: 'x' } },
        kafka: { brokers: 'a:1', sasl: { mechanism: 'plain' } },
      },
      /KAFKA_SASL_USERNAME is missing/,
    ],
    [
      'a misspelt variable',
      { ...PRODUCTION, config: { RETRY_STEPP: '1s' } },
      /\/config.*'RETRY_STEPP' not allowed/,
    ],
    [
      'a secret among what everybody may read',
      { ...PRODUCTION, config: { OTEL_EXPORTER_OTLP_HEADERS: 'authorization=x' } },
      /\/config.*'OTEL_EXPORTER_OTLP_HEADERS' not allowed/,
    ],
    [
      'a misspelt value',
      { ...PRODUCTION, dispatcher: { replica: 2 } },
      /\/dispatcher.*'replica' not allowed/,
    ],
    [
      'more pods than partitions',
      { ...PRODUCTION, keda: { enabled: true, maxReplicas: 20 } },
      /keda\.maxReplicas is 20, more than the 12 partitions/,
    ],
  ];
  for (const [what, values, complaint] of REFUSED) {
    it(`refuses ${what} by its name`, async function () {
      if (ways.helm === null) return this.skip();
      expect(await ways.refusal(values)).to.match(complaint);
    });
  }

  it('takes each secret from where the operator keeps it', async function () {
    if (ways.helm === null) return this.skip();
    const from = {
      MONGODB_URI: { name: 'mongo-app', key: 'uri' },
      OTEL_EXPORTER_OTLP_HEADERS: { name: 'collector', key: 'headers' },
    };
    const create = { ENCRYPTION_KEYS: 'k1:AAAA' };
    const manifests = await ways.chart({ ...PRODUCTION, secrets: { from, create } });
    const rendered = stringify(manifests.find(({ kind }) => kind === 'Deployment'));
    expect(rendered).to.match(
      /name: MONGODB_URI\n\s+valueFrom:\n\s+secretKeyRef:\n\s+name: mongo-app\n\s+key: uri/,
    );
    expect(rendered).to.match(
      /name: OTEL_EXPORTER_OTLP_HEADERS\n\s+valueFrom:\n\s+secretKeyRef:\n\s+name: collector\n\s+key: headers/,
    );
    const secret = manifests.find(({ kind }) => kind === 'Secret') as Manifest & { stringData: unknown };
    expect(secret.stringData).to.deep.equal(create);
  });
});
