import { expect } from 'chai';
import { podOf } from './pods.js';
import type { Manifest } from './render.js';
import { PRODUCTION, SCALED_SECURELY, TRACED_SECURELY } from './variants.js';
import { describeWays, type Ways } from './ways.js';

/** The names of objects whose containers have this variable, each with its value. */
function withVariable(manifests: readonly Manifest[], variable: string): object[] {
  return manifests.flatMap((manifest) => {
    const { initContainers = [], containers = [] } = podOf(manifest) ?? {};
    return [...initContainers, ...containers].flatMap(({ name, env = [] }) =>
      env
        .filter((one) => one.name === variable)
        .map(({ value }) => ({ of: manifest.metadata.name, container: name, value })),
    );
  });
}

describeWays('authorities', ({ helm, kubectl }) => {
  const SECRET = 'postrider-api-ca';
  const RENDERINGS = [
    ['chart', helm, (ways: Ways) => ways.chart({ ...PRODUCTION, api: { caSecret: SECRET } })],
    ['kustomize', kubectl, (ways: Ways) => ways.productionWith(['api-ca'])],
  ] as const;
  for (const [name, test, render] of RENDERINGS)
    test(`${name}: of your own are trusted by the api, and never by the sender of webhooks`, async (ways) => {
      const manifests = await render(ways);
      expect(withVariable(manifests, 'NODE_EXTRA_CA_CERTS')).to.deep.equal([
        { of: 'postrider-api', container: 'postrider', value: '/etc/postrider/api-ca/ca.crt' },
      ]);
      const mounting = manifests.filter((manifest) =>
        podOf(manifest)?.volumes?.some(({ secret }) => secret?.secretName === SECRET),
      );
      expect(mounting.map(({ metadata }) => metadata.name)).to.deep.equal(['postrider-api']);
    });

  helm('of the collector are trusted by every process, at the collector alone', async (ways) => {
    const manifests = await ways.chart(TRACED_SECURELY);
    expect(withVariable(manifests, 'NODE_EXTRA_CA_CERTS')).to.deep.equal([]);
    expect(manifests.find(({ kind }) => kind === 'ConfigMap')?.data).to.include({
      OTEL_EXPORTER_OTLP_CERTIFICATE: '/etc/postrider/collector/ca.crt',
    });
    const mounting = manifests.filter((manifest) =>
      podOf(manifest)?.containers?.some(({ volumeMounts }) =>
        volumeMounts?.some(({ mountPath }) => mountPath === '/etc/postrider/collector'),
      ),
    );
    expect(mounting.map(({ metadata }) => metadata.name)).to.have.members([
      'postrider-api',
      'postrider-dispatcher',
      'postrider-dlq-consumer',
      'postrider-janitor',
      'postrider-test',
    ]);
  });

  helm('are the usual ones where a secret only has a client certificate, also for KEDA', async (ways) => {
    const manifests = await ways.chart({
      ...SCALED_SECURELY,
      kafka: { ...SCALED_SECURELY.kafka, tls: { ...SCALED_SECURELY.kafka.tls, customCa: false } },
      mongodb: { tls: { existingSecret: 'mongodb-tls', customCa: false, clientCertificate: true } },
    });
    expect(manifests.find(({ kind }) => kind === 'ConfigMap')?.data)
      .to.include({
        KAFKA_TLS: 'true',
        KAFKA_TLS_CERT_FILE: '/etc/postrider/kafka/tls.crt',
        KAFKA_TLS_KEY_FILE: '/etc/postrider/kafka/tls.key',
        MONGODB_TLS_CERT_FILE: '/etc/postrider/mongodb/client.pem',
      })
      .and.not.to.have.any.keys('KAFKA_TLS_CA_FILE', 'MONGODB_TLS_CA_FILE');
    const { spec } = manifests.find(({ kind }) => kind === 'TriggerAuthentication') as unknown as Login;
    expect(spec.secretTargetRef.map(({ parameter }) => parameter)).to.deep.equal(['cert', 'key']);
  });
});

interface Login {
  readonly spec: { readonly secretTargetRef: readonly { readonly parameter: string }[] };
}
