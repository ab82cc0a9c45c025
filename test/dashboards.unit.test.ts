import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';

const FOLDER = new URL('../../deploy/observability/dashboards/', import.meta.url);
const ONE_NAMESPACE = '{namespace=~"$namespace"';

interface Dashboard {
  readonly title: string;
  readonly templating: { readonly list: readonly { readonly name: string; readonly allValue?: string }[] };
  readonly panels: readonly {
    readonly title: string;
    readonly targets?: readonly { readonly expr: string }[];
  }[];
}

const dashboards = readdirSync(FOLDER).map(
  (file) => JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')) as Dashboard,
);
const queries = dashboards.flatMap(({ panels }) =>
  panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ title, expr }))),
);

/** A query as Grafana sends it. @param namespace the selected one, all by default */
const sent = (expr: string, namespace = '.*') => expr.replaceAll('$namespace', namespace);

/** The result of promtool for generated files; null where it is not installed. */
function promtool(files: Readonly<Record<string, object>>, ...args: string[]): string | null {
  const folder = mkdtempSync(join(tmpdir(), 'postrider-dashboards-'));
  try {
    for (const [file, content] of Object.entries(files))
      writeFileSync(join(folder, file), JSON.stringify(content));
    const { error, stdout, stderr } = spawnSync('promtool', args, { cwd: folder, encoding: 'utf8' });
    return error === undefined ? stdout + stderr : null;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('Grafana dashboards', () => {
  for (const { title, templating } of dashboards) {
    it(`select a namespace, and work without one: ${title}`, () => {
      expect(templating.list.find(({ name }) => name === 'namespace')?.allValue).to.equal('.*');
    });
  }

  // Regression: Node's own metrics have the same names for every Node application of a shared Prometheus, and the panels
  // of event loop, memory and CPU showed all of them.
  for (const { title, expr } of queries) {
    it(`query only Postrider's processes of the selected namespace: ${title}`, () => {
      const ours = [...expr.matchAll(/postrider_\w+(.{0,24})/g)];
      expect(ours.length).to.be.at.least(1);
      for (const [, selector] of ours) expect(selector).to.equal(ONE_NAMESPACE);
      if (/(nodejs|process)_/.test(expr)) expect(expr).to.contain(' * on (namespace, pod, instance) ');
    });
  }

  it('contain valid queries', function () {
    const rules = queries.map(({ expr }, at) => ({ record: `query_${at}`, expr: sent(expr) }));
    const said = promtool(
      { 'rules.yaml': { groups: [{ name: 'all', rules }] } },
      'check',
      'rules',
      'rules.yaml',
    );
    if (said === null) this.skip();
    expect(said).to.contain(`SUCCESS: ${rules.length} rules found`);
  });

  it('exclude other applications, with and without cluster labels', function () {
    const memory = queries.find(({ expr }) => expr.startsWith('process_resident_memory_bytes'))!.expr;
    const process = (labels: string, info?: string) => [
      { series: `process_resident_memory_bytes{${labels}}`, values: '7+0x9' },
      ...(info === undefined ? [] : [{ series: `postrider_build_info{${labels},${info}}`, values: '1+0x9' }]),
    ];
    const api = 'service="api",version="1"';
    const sample = (labels: string) => ({ labels: `{${labels}}`, value: 7 });
    const inOne = 'instance="1:9464",namespace="one",pod="a"';
    const inTwo = 'instance="2:9464",namespace="two",pod="a"';
    const bare = 'instance="3:9464"';
    const series = [
      ...process(inOne, api),
      ...process(inTwo, api),
      ...process(bare, api),
      ...process('instance="4:9464",namespace="one",pod="other"'),
    ];
    const ask = (expr: string, ...found: string[]) => ({
      expr,
      eval_time: '5m',
      exp_samples: found.map((labels) => sample(`${labels},service="api"`)),
    });
    const tests = [
      {
        interval: '1m',
        input_series: series,
        promql_expr_test: [ask(sent(memory), inOne, inTwo, bare), ask(sent(memory, 'two'), inTwo)],
      },
    ];
    const said = promtool({ 'test.yaml': { tests } }, 'test', 'rules', 'test.yaml');
    if (said === null) this.skip();
    expect(said).to.contain('SUCCESS');
  });
});
