import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { STOP_LIMIT_MS } from '@postrider/shared/runtime/lifecycle';
import { expect } from 'chai';
import { stringify } from 'yaml';
import { pythonWith } from '../python/python-with.js';
import { chooseImages } from '../stack/containers/images.js';
import { ROOT } from '../start/places.js';
import { comparable } from './comparable.js';
import { complaintsAbout, isCustom } from './custom-objects.js';
import { findHelm, runs } from './find-helm.js';
import {
  CHART,
  KUBERNETES_VERSION,
  type Manifest,
  parseManifests,
  renderHelm,
  renderKustomize,
} from './render.js';
import {
  ALL,
  CLIENT_SETTINGS,
  COMPONENTS,
  KEDA_LOGIN,
  PRODUCTION,
  RUN_AT_EASE,
  SCALED_SECURELY,
  SECURED,
  TLS_SETTINGS,
} from './variants.js';

const run = promisify(execFile);
const K8S = join(ROOT, 'deploy/k8s');
const VALIDATOR = 'kubernetes-validate==1.37.0';
const report = (line: string) => console.log(`      ${line}`);

describe('the ways onto a cluster', function () {
  this.timeout(900_000);
  /** Inside the checkout, because kustomize takes no absolute paths. */
  let place: string;
  let helm: string | null;
  let hasKubectl: boolean;
  before(async () => {
    const home = join(ROOT, '.postrider');
    mkdirSync(home, { recursive: true });
    place = mkdtempSync(join(home, 'deploy-'));
    [helm, hasKubectl] = await Promise.all([
      findHelm(process.env, report),
      runs('kubectl', ['version', '--client']),
    ]);
    if (helm === null) report('skipped in part: there is neither helm nor go here');
    if (!hasKubectl) report('skipped in part: there is no kubectl here');
  });
  after(() => rmSync(place, { recursive: true, force: true }));

  const valuesFile = (values: object) => {
    const file = join(place, 'values.yaml');
    writeFileSync(file, stringify(values));
    return file;
  };
  const chart = async (values: object) => parseManifests(await renderHelm(helm!, valuesFile(values)));
  const refusal = (values: object) => chart(values).then(String, ({ message }: Error) => message);
  const overlay = async (name: string) => parseManifests(await renderKustomize(join(K8S, 'overlays', name)));
  const productionWith = async (
    components: readonly string[],
    literals: readonly string[] = [],
    patches: readonly object[] = [],
  ) => {
    const kustomization = {
      apiVersion: 'kustomize.config.k8s.io/v1beta1',
      kind: 'Kustomization',
      resources: ['../../deploy/k8s/overlays/production'],
      components: components.map((name) => `../../deploy/k8s/components/${name}`),
      configMapGenerator: [{ name: 'postrider-config', behavior: 'merge', literals }],
      patches,
    };
    writeFileSync(join(place, 'kustomization.yaml'), stringify(kustomization));
    return parseManifests(await renderKustomize(place));
  };

  it('mean the same: the production overlay and the chart', async function () {
    if (helm === null || !hasKubectl) return this.skip();
    expect(comparable(await chart(PRODUCTION))).to.deep.equal(comparable(await overlay('production')));
  });

  it('mean the same with certificates', async function () {
    if (helm === null || !hasKubectl) return this.skip();
    const secured = await productionWith(['tls'], TLS_SETTINGS);
    expect(comparable(await chart(SECURED))).to.deep.equal(comparable(secured));
  });

  it('mean the same with scaling, monitoring and network policies', async function () {
    if (helm === null || !hasKubectl) return this.skip();
    const eased = await productionWith(['keda', 'prometheus-operator', 'network-policies']);
    expect(comparable(await chart(RUN_AT_EASE))).to.deep.equal(comparable(eased));
  });

  it('mean the same with scaling by a broker that wants certificates and a login', async function () {
    if (helm === null || !hasKubectl) return this.skip();
    const settings = [...TLS_SETTINGS, ...CLIENT_SETTINGS];
    const scaled = await productionWith(['tls', 'keda', 'keda-secured'], settings, [KEDA_LOGIN]);
    expect(comparable(await chart(SCALED_SECURELY))).to.deep.equal(comparable(scaled));
  });

  it('give a service more time to end than it takes', async function () {
    if (!hasKubectl) return this.skip();
    for (const { metadata, spec } of await overlay('production')) {
      const pod = (spec as { template?: { spec: Pod } } | undefined)?.template?.spec;
      if (pod === undefined) continue;
      const before = Number(pod.containers[0]?.lifecycle?.preStop.exec.command[1] ?? 0);
      expect(pod.terminationGracePeriodSeconds * 1_000, metadata.name).to.be.above(
        before * 1_000 + STOP_LIMIT_MS,
      );
    }
  });

  /** Every object that any of the ways writes. */
  const everything = async () => {
    const demo = await overlay('demo');
    const production = await productionWith([...COMPONENTS]);
    return [...demo, ...production, ...(helm === null ? [] : await chart(ALL))];
  };

  it('pass the schemas of the cluster, object by object', async function () {
    if (!hasKubectl) return this.skip();
    const programs = await pythonWith(VALIDATOR, process.env).catch(() => null);
    if (programs === null) {
      report('skipped: there is no Python with pip here');
      return this.skip();
    }
    const own = (await everything()).filter((manifest) => !isCustom(manifest));
    expect(own).to.have.length.above(40);
    const file = join(place, 'all.yaml');
    writeFileSync(file, own.map((manifest) => stringify(manifest)).join('---\n'));
    await run(join(programs, 'kubernetes-validate'), ['-k', KUBERNETES_VERSION, '--strict', '--quiet', file]);
  });

  it('pass the schemas of KEDA and the Prometheus operator', async function () {
    if (!hasKubectl) return this.skip();
    const custom = (await everything()).filter(isCustom);
    expect(custom).to.have.length(helm === null ? 4 : 8);
    const complaints = custom.map((manifest) => [manifest.kind, complaintsAbout(manifest)]);
    expect(complaints).to.deep.equal(custom.map(({ kind }) => [kind, []]));
  });

  it('pass helm lint', async function () {
    if (helm === null) return this.skip();
    await run(helm, ['lint', '--strict', CHART, '--values', valuesFile(ALL)]);
  });

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
    it(`refuse ${what} by its name`, async function () {
      if (helm === null) return this.skip();
      expect(await refusal(values)).to.match(complaint);
    });
  }

  it('take each secret from where the operator keeps it', async function () {
    if (helm === null) return this.skip();
    const from = {
      MONGODB_URI: { name: 'mongo-app', key: 'uri' },
      OTEL_EXPORTER_OTLP_HEADERS: { name: 'collector', key: 'headers' },
    };
    const create = { ENCRYPTION_KEYS: 'k1:AAAA' };
    const manifests = await chart({ ...PRODUCTION, secrets: { from, create } });
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

  it('run the same servers in the demo as the local stack does', async function () {
    if (!hasKubectl) return this.skip();
    const rendered = await renderKustomize(join(K8S, 'overlays/demo'));
    for (const image of Object.values(chooseImages({}))) expect(rendered).to.include(`image: ${image}\n`);
  });
});

interface Pod {
  readonly terminationGracePeriodSeconds: number;
  readonly containers: readonly { lifecycle?: { preStop: { exec: { command: string[] } } } }[];
}
