import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { METRICS, type MetricName } from '@postrider/shared/metrics/catalog';
import { createMetrics } from '@postrider/shared/metrics/metrics';
import { expect } from 'chai';

const FOLDER = new URL('../../deploy/observability/', import.meta.url);
const read = (file: string) => readFileSync(new URL(file, FOLDER), 'utf8');

interface Dashboard {
  readonly panels: readonly {
    readonly title: string;
    readonly targets?: readonly { readonly expr: string }[];
  }[];
}

/** Labels that Prometheus adds to every series, for its target and, on Kubernetes, its pod. */
const OF_TARGETS = ['namespace', 'pod', 'instance'];

/** Labels that the Prometheus operator adds to the targets of a PodMonitor. */
const OF_OPERATOR = [...OF_TARGETS, 'container', 'endpoint', 'job'];
const MONITORS = [
  'helm/postrider/templates/monitoring.yaml',
  'k8s/components/prometheus-operator/pod-monitor.yaml',
];

/** Every query with its location. */
function queries(): (readonly [string, string])[] {
  const dashboards = readdirSync(new URL('dashboards/', FOLDER)).flatMap((file) =>
    (JSON.parse(read(`dashboards/${file}`)) as Dashboard).panels.flatMap(({ title, targets = [] }) =>
      targets.map(({ expr }) => [`${file}, ${title}`, expr] as const),
    ),
  );
  const alerts = [
    ...read('alerts.yaml').matchAll(/alert: (\w+)\n\s+expr: (?:\|\n)?([\s\S]*?)\n\s+(?:for|labels):/g),
  ];
  return [...dashboards, ...alerts.map(([, name = '', expr = '']) => [name, expr] as const)];
}

describe('alerts and dashboards', () => {
  /** Names as they are stored, with the labels that their series have. */
  const stored = new Map<string, ReadonlySet<string>>();
  before(async () => {
    for (const [name, { kind, labels }] of Object.entries(METRICS)) {
      const suffixes = kind === 'histogram' ? ['_bucket', '_sum', '_count'] : [''];
      for (const suffix of suffixes)
        stored.set(name + suffix, new Set([...labels, ...(suffix === '_bucket' ? ['le'] : [])]));
    }
    const ofNode = (await createMetrics('api', '1').text()).matchAll(
      /^# TYPE ((?:nodejs|process)_\w+) (\w+)$/gm,
    );
    for (const [, name = '', kind] of ofNode)
      for (const suffix of kind === 'histogram' ? ['_bucket', '_sum', '_count'] : [''])
        stored.set(name + suffix, new Set());
  });

  for (const [place, query] of queries()) {
    it(`query existing metrics and labels: ${place}`, () => {
      const asked = [...query.matchAll(/\b((?:postrider|nodejs|process)_\w+)(?:\{([^}]*)\})?/g)];
      expect(asked.length).to.be.at.least(1);
      for (const [, name = '', selector = ''] of asked) {
        const labels = stored.get(name);
        expect(labels, name).not.to.equal(undefined);
        for (const [, label] of selector.matchAll(/(\w+)\s*[!=]/g))
          expect([...labels!, ...OF_TARGETS], name).to.include(label);
      }
      const grouped = [...query.matchAll(/(?:by|on|group_left) \(([^)]*)\)/g)].flatMap(([, list = '']) =>
        list.split(/,\s*/),
      );
      const known = new Set([...OF_TARGETS, ...asked.flatMap(([, name = '']) => [...stored.get(name)!])]);
      for (const label of grouped) expect([...known], query).to.include(label);
    });
  }

  it('use every metric', () => {
    const text = queries()
      .map(([, query]) => query)
      .join('\n');
    // Metrics of a running janitor, which is inspected directly.
    const unseen = Object.keys(METRICS).filter((name) => !text.includes(name));
    expect(unseen).to.deep.equal(['postrider_janitor_handled']);
  });
});

// Regression: `endpoint` of the operator is the name of the port. Ours was renamed to `exported_endpoint`, and the panel of the worst
// endpoints showed one series.
describe('labels of metrics', () => {
  it('replace no label of a target but "endpoint"', async () => {
    const ours = Object.values(METRICS).flatMap(({ labels }) => [...labels]);
    const series = (await createMetrics('api', '1').text()).matchAll(/^\w+\{(.*)\}/gm);
    const ofNode = [...series].flatMap(([, labels = '']) =>
      [...labels.matchAll(/(\w+)="/g)].map(([, label]) => label),
    );
    expect(ofNode).to.include('space');
    const exported = new Set<string | undefined>([...ours, ...ofNode]);
    expect(OF_OPERATOR.filter((label) => exported.has(label))).to.deep.equal(['endpoint']);
  });

  for (const file of MONITORS) {
    it(`win against those of the target: ${file}`, () => {
      const [, ...endpoints] = read(`../${file}`).split('podMetricsEndpoints:')[1]?.split(/^ +- /m) ?? [];
      expect(endpoints).to.have.length(1);
      for (const endpoint of endpoints) expect(endpoint).to.match(/^ +honorLabels: true$/m);
    });
  }
});

describe('alerts', () => {
  const names = [...read('alerts.yaml').matchAll(/alert: (\w+)/g)].map(([, name = '']) => name);
  const guide = readFileSync(new URL('../../docs/operating.md', FOLDER), 'utf8');
  const cases = ['alerts.test.yaml', 'janitor-alerts.test.yaml']
    .map(read)
    .join('\n')
    .split('\n  - name: ')
    .slice(1);

  for (const name of names) {
    it(`have a section for ${name} with its meaning, checks and remedies`, () => {
      const [, section = ''] = guide.split(`### ${name}\n`);
      const text = section.split('\n## ')[0]!.split('\n### ')[0]!;
      for (const part of ['**Means**', '**See**', '**Do**']) expect(text).to.contain(part);
      const link = `runbook_url: docs/operating.md#${name.toLowerCase()}\n`;
      expect(read('alerts.yaml')).to.contain(link);
    });

    it(`have a firing and a silent case of ${name}`, () => {
      const ofAlert = cases.filter((one) => one.startsWith(`${name} `));
      const isSilent = (one: string) => one.includes('exp_alerts: []');
      expect(ofAlert.some(isSilent)).to.equal(true);
      expect(ofAlert.some((one) => !isSilent(one))).to.equal(true);
    });
  }

  // Regression: a gauge that cannot be read is missing, so that an outage of the database ended every alert about its rows.
  it('have one for gauges of the database that are missing, of which each process exports some', () => {
    const [, query = ''] = queries().find(([name]) => name === 'PostriderDatabaseUnreachable') ?? [];
    const [present = '', missing = ''] = query.split(' unless ');
    expect(present).to.contain('postrider_build_info');
    const read = [...missing.matchAll(/postrider_\w+/g)].map(([name]) => METRICS[name as MetricName]);
    for (const service of METRICS.postrider_clock_offset_seconds.from)
      expect(read.some(({ from }) => (from as readonly string[]).includes(service))).to.equal(true, service);
  });

  it('fire and stay silent as their cases expect', function () {
    this.timeout(60_000);
    if (spawnSync('promtool', ['--version']).error !== undefined) {
      console.log(
        '      promtool is not installed: the cases of the alerts are not tried (it comes with Prometheus)',
      );
      this.skip();
    }
    const files = ['alerts.test.yaml', 'janitor-alerts.test.yaml'].map((file) =>
      fileURLToPath(new URL(file, FOLDER)),
    );
    expect(
      execFileSync('promtool', ['check', 'rules', fileURLToPath(new URL('alerts.yaml', FOLDER))], {
        encoding: 'utf8',
      }),
    ).to.contain(`SUCCESS: ${names.length} rules found`);
    const tried = spawnSync('promtool', ['test', 'rules', ...files], { encoding: 'utf8' });
    expect(tried.status, tried.stdout + tried.stderr).to.equal(0);
  });
});
