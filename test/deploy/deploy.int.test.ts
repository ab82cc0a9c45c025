import { execFile } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { stopLimitMs } from '@postrider/dispatcher/stop-limit';
import { STOP_LIMIT_MS } from '@postrider/shared/runtime/lifecycle';
import { expect } from 'chai';
import { stringify } from 'yaml';
import { chooseImages } from '#dev/stack/containers/images';
import { pythonWith } from '../python/python-with.js';
import { comparable } from './comparable.js';
import { isCustom, schemaErrors } from './custom-objects.js';
import { podOf } from './pods.js';
import {
  CHART,
  KUBERNETES_VERSION,
  type Manifest,
  type Profile,
  parseManifests,
  profileFile,
  renderKustomize,
} from './render.js';
import {
  ALL,
  CLIENT_CERTIFICATE_SETTINGS,
  CLIENT_CERTIFICATES,
  CLIENT_SETTINGS,
  COLLECTOR_SETTINGS,
  COMPONENTS,
  describedPatches,
  EVENT_TYPES,
  EXPOSED,
  EXTRA_AUTHORITY,
  INGRESS_SETTINGS,
  KEDA_LOGIN,
  KEDA_NAMESPACE,
  ONE_PROCESS,
  OPERATED,
  PLACED,
  POLICIES,
  PRODUCTION,
  SCALED_SECURELY,
  TLS_SETTINGS,
  TRACED_SECURELY,
} from './variants.js';
import { describeWays, K8S, report, type Ways } from './ways.js';

const run = promisify(execFile);
const VALIDATOR = 'kubernetes-validate==1.37.0';
const PROFILES: readonly Profile[] = ['production', 'small'];

describeWays('chart and kustomize overlays', ({ helm, kubectl, both }) => {
  both('render the same objects for production', async (ways) => {
    expect(comparable(await ways.chart(PRODUCTION))).to.deep.equal(
      comparable(await ways.overlay('production')),
    );
  });

  both('render the same objects with certificates', async (ways) => {
    const literals = [...TLS_SETTINGS, ...COLLECTOR_SETTINGS];
    const secured = await ways.productionWith(['tls', 'collector-tls'], { literals });
    expect(comparable(await ways.chart(TRACED_SECURELY))).to.deep.equal(comparable(secured));
  });

  both('render the same objects with scaling, monitoring and network policies', async (ways) => {
    const eased = await ways.productionWith(['keda', 'prometheus-operator', 'network-policies'], {
      patches: [KEDA_NAMESPACE],
    });
    expect(comparable(await ways.chart(OPERATED))).to.deep.equal(comparable(eased));
  });

  both('render the same objects when KEDA scales by a broker with certificates and a login', async (ways) => {
    const scaled = await ways.productionWith(['tls', 'keda', 'keda-secured'], {
      literals: [...TLS_SETTINGS, ...CLIENT_SETTINGS],
      patches: [KEDA_LOGIN, KEDA_NAMESPACE],
    });
    expect(comparable(await ways.chart(SCALED_SECURELY))).to.deep.equal(comparable(scaled));
  });

  both('render the same objects with client certificates and the usual authorities', async (ways) => {
    const secured = await ways.productionWith(['tls'], { literals: CLIENT_CERTIFICATE_SETTINGS });
    expect(comparable(await ways.chart(CLIENT_CERTIFICATES))).to.deep.equal(comparable(secured));
  });

  both('render the same objects with an authority of its own for the api', async (ways) => {
    expect(comparable(await ways.chart(EXTRA_AUTHORITY))).to.deep.equal(
      comparable(await ways.productionWith(['api-ca'])),
    );
  });

  for (const [what, described, values, count] of [
    ['a longer drain of the api', /preStop/, { api: { drainSeconds: 20 } }, 1],
    ['the user that OpenShift chooses', /runAsUser/, { pods: { user: null } }, 2],
  ] as const)
    both(
      `render the same objects with ${what}, after the patches of the production overlay`,
      async (ways) => {
        const patches = describedPatches(({ patch }) => described.test(patch));
        expect(patches).to.have.length(count);
        expect(comparable(await ways.chart({ ...PRODUCTION, ...values }))).to.deep.equal(
          comparable(await ways.productionWith([], { patches })),
        );
      },
    );

  for (const [what, operation, keda] of [
    [
      'a login at Prometheus',
      'add',
      { prometheusAuthentication: { modes: 'bearer', name: 'prometheus-login' } },
    ],
    ['no Prometheus', 'remove', { prometheusAddress: '' }],
  ] as const)
    both(
      `render the same objects with ${what}, after the patch that the component describes`,
      async (ways) => {
        const component = readFileSync(join(K8S, 'components/keda/kustomization.yaml'), 'utf8');
        const lines = component.matchAll(RegExp(`^# +(- \\{ op: ${operation}, .*\\})$`, 'gm'));
        const patch = Array.from(lines, ([, line]) => line).join('\n');
        const patches = [KEDA_NAMESPACE, { target: KEDA_NAMESPACE.target, patch }];
        expect(
          comparable(await ways.chart({ ...PRODUCTION, keda: { enabled: true, ...keda } })),
        ).to.deep.equal(comparable(await ways.productionWith(['keda'], { patches })));
      },
    );

  both(
    'render the same objects behind an ingress, after the patch that the component describes',
    async (ways) => {
      const described = readFileSync(join(K8S, 'components/ingress/kustomization.yaml'), 'utf8');
      const patch = Array.from(described.matchAll(/^# +(- \{ op: .*\})$/gm), ([, line]) => line).join('\n');
      const exposed = { ...EXPOSED, ingress: { ...EXPOSED.ingress, className: 'nginx' } };
      const additions = {
        literals: INGRESS_SETTINGS,
        patches: [{ target: { kind: 'Ingress', name: 'postrider-api' }, patch }],
      };
      expect(comparable(await ways.chart(exposed))).to.deep.equal(
        comparable(await ways.productionWith(['ingress'], additions)),
      );
      const small = await ways.productionWith(['ingress', 'one-process'], {
        ...additions,
        base: 'overlays/small',
      });
      expect(comparable(await ways.chart({ ...exposed, profile: 'all' }))).to.deep.equal(comparable(small));
    },
  );

  both('render the same objects for one process', async (ways) => {
    expect(comparable(await ways.chart(ONE_PROCESS))).to.deep.equal(comparable(await ways.overlay('small')));
    const operated = { ...ONE_PROCESS, monitoring: { enabled: true }, networkPolicies: POLICIES };
    const overlay = await ways.productionWith(['prometheus-operator', 'network-policies', 'one-process'], {
      base: 'overlays/small',
    });
    expect(comparable(await ways.chart(operated))).to.deep.equal(comparable(overlay));
  });

  kubectl('accept the commented-out parts of the production overlay', async (ways) => {
    const copy = join(ways.place, 'k8s');
    cpSync(K8S, copy, { recursive: true });
    const file = join(copy, 'overlays/production/kustomization.yaml');
    const [head, body = ''] = readFileSync(file, 'utf8').split(/(?=^apiVersion:)/m);
    writeFileSync(file, `${head}${body.replace(/^( *)# /gm, '$1')}`);
    writeFileSync(join(copy, 'overlays/production/event-types.yaml'), EVENT_TYPES);
    const objects = parseManifests(await renderKustomize(join(copy, 'overlays/production')));
    const kinds = objects.map(({ kind }) => kind);
    expect(kinds).to.include.members([
      'ScaledObject',
      'TriggerAuthentication',
      'NetworkPolicy',
      'PodMonitor',
      'PrometheusRule',
    ]);
    for (const { metadata } of objects) expect(metadata).to.have.property('namespace', 'postrider');
    const dispatcher = objects.find(
      ({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'postrider-dispatcher',
    );
    expect(stringify(dispatcher?.spec)).to.match(/image: registry\.example\.com\/postrider:/);
    // Regression: the overlay's replica count was applied after the component, so each apply undid the scaling by KEDA.
    expect(dispatcher?.spec).not.to.have.property('replicas');
  });

  kubectl('give a service more time to stop than it needs', async (ways) => {
    for (const { name, limitMs } of stopLimits(await ways.overlay('production')))
      expect(limitMs, name).to.be.above(/dispatcher$/.test(name) ? stopLimitMs(USUAL) : STOP_LIMIT_MS);
    const [all] = stopLimits(await ways.overlay('small'));
    expect(all?.limitMs).to.be.above(stopLimitMs(USUAL));
  });

  for (const drainSeconds of [1, 5, 120])
    helm(
      `give a dispatcher more time to stop with longer deadlines of its attempts, after a drain of ${drainSeconds} s`,
      async (ways) => {
        for (const profile of ['separate', 'all'])
          for (const [config, deadlines] of DEADLINES) {
            const limits = stopLimits(
              await ways.chart({ ...PRODUCTION, profile, config, api: { drainSeconds } }),
            );
            for (const { name, limitMs } of limits)
              expect(limitMs, `${name}, ${JSON.stringify(config)}`).to.be.above(
                /dispatcher|all$/.test(name) ? stopLimitMs({ ...USUAL, ...deadlines }) : STOP_LIMIT_MS,
              );
            const drains = limits.filter(({ name }) => /api|all$/.test(name));
            expect(drains.map((one) => one.drainSeconds)).to.deep.equal([drainSeconds]);
          }
      },
    );

  kubectl('accept the patch of the production overlay for a longer deadline', async (ways) => {
    const file = readFileSync(join(K8S, 'overlays/production/kustomization.yaml'), 'utf8');
    const [, patch] = /^# +patch: '(.*terminationGracePeriodSeconds.*)'$/m.exec(file) ?? [];
    const target = { kind: 'Deployment', name: 'postrider-dispatcher' };
    const objects = await ways.productionWith([], { patches: [{ target, patch }] });
    const dispatcher = stopLimits(objects).find(({ name }) => name === 'postrider-dispatcher');
    expect(dispatcher?.limitMs).to.be.above(stopLimitMs({ ...USUAL, DELIVERY_TIMEOUT: 30_000 }));
  });

  /** Every object that any rendering contains. */
  const everything = async (ways: Ways) => {
    const demo = await ways.overlay('demo');
    const production = await ways.productionWith([...COMPONENTS]);
    const small = await ways.overlay('small');
    if (ways.helm === null) return [...demo, ...production, ...small];
    const charts = [await ways.chart(ALL), await ways.chart(PLACED)];
    for (const profile of PROFILES) charts.push(await ways.chart(EXPOSED, profile));
    return [...demo, ...production, ...small, ...charts.flat()];
  };

  kubectl('pass the schemas of the cluster, object by object', async (ways, skip) => {
    const programs = await pythonWith(VALIDATOR).catch(() => null);
    if (programs === null) {
      report('skipped: Python with pip is not installed');
      return skip();
    }
    const own = (await everything(ways)).filter((manifest) => !isCustom(manifest));
    expect(own).to.have.length.above(40);
    const file = join(ways.place, 'all.yaml');
    writeFileSync(file, own.map((manifest) => stringify(manifest)).join('---\n'));
    await run(join(programs, 'kubernetes-validate'), ['-k', KUBERNETES_VERSION, '--strict', '--quiet', file]);
  });

  kubectl('pass the schemas of KEDA and the Prometheus operator', async (ways) => {
    const custom = (await everything(ways)).filter(isCustom);
    expect(custom).to.have.length(ways.helm === null ? 4 : 11);
    const errors = custom.map((manifest) => [manifest.kind, schemaErrors(manifest)]);
    expect(errors).to.deep.equal(custom.map(({ kind }) => [kind, []]));
  });

  helm('pass helm lint', async (ways) => {
    const lint = (...files: string[]) =>
      run(ways.helm!, ['lint', '--strict', CHART, ...files.flatMap((file) => ['--values', file])]);
    await lint(ways.valuesFile(ALL));
    for (const profile of PROFILES) await lint(profileFile(profile), ways.valuesFile(EXPOSED));
  });

  kubectl('run the same servers in the demo as the local stack does', async () => {
    const rendered = await renderKustomize(join(K8S, 'overlays/demo'));
    for (const image of Object.values(chooseImages({}))) expect(rendered).to.include(`image: ${image}\n`);
  });
});

/** The defaults. */
const USUAL = { DELIVERY_TIMEOUT: 10_000, BODY_TIMEOUT: 2_000 };

/** Settings with the milliseconds that they are. */
const DEADLINES = [
  [{}, {}],
  [{ DELIVERY_TIMEOUT: '500ms' }, { DELIVERY_TIMEOUT: 500 }],
  [{ DELIVERY_TIMEOUT: '45s' }, { DELIVERY_TIMEOUT: 45_000 }],
  [{ BODY_TIMEOUT: '15s' }, { BODY_TIMEOUT: 15_000 }],
  [
    { DELIVERY_TIMEOUT: '5m', BODY_TIMEOUT: '2500ms' },
    { DELIVERY_TIMEOUT: 300_000, BODY_TIMEOUT: 2_500 },
  ],
] as const;

/** For each deployment what is left to its process when its hook before the stop has ended. */
function stopLimits(
  manifests: readonly Manifest[],
): { name: string; drainSeconds: number; limitMs: number }[] {
  return manifests
    .filter(({ kind }) => kind === 'Deployment')
    .map((manifest) => {
      const { terminationGracePeriodSeconds, containers } = podOf(manifest)!;
      const drainSeconds = Number(containers[0]?.lifecycle?.preStop.exec.command[1] ?? 0);
      const limitMs = (terminationGracePeriodSeconds - drainSeconds) * 1_000;
      return { name: manifest.metadata.name, drainSeconds, limitMs };
    });
}
