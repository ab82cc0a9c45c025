import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeEvents } from './guide/describe-events.js';
import { variablesTable, withVariables } from './guide/describe-variables.js';
import { layersTable, metricsTable } from './guide/tables.js';
import { biomeConfig } from './layers/layers.js';
import { ROOT } from './start/paths.js';

type Complete = (current: string) => string;

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const alerts = () => read('deploy/observability/alerts.yaml');
const DASHBOARDS = ['delivery-health', 'egress', 'engine'];
/** The alerts are also an object of the Prometheus operator. */
const RULE_HEAD = `apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata:
  name: postrider
  labels:
    app.kubernetes.io/name: postrider
    app.kubernetes.io/instance: postrider
spec:
`;

/** Committed files that are generated, or have generated sections: the file's next text from its current one. */
export const GENERATED: Readonly<Record<'guide' | 'deploy' | 'layers', Readonly<Record<string, Complete>>>> =
  {
    guide: {
      'docs/events.md': section('guide', 'events', describeEvents),
      'docs/operating.md': (text) =>
        section('guide', 'variables', variablesTable)(section('guide', 'metrics', metricsTable)(text)),
    },
    deploy: {
      'deploy/helm/postrider/values.schema.json': (text) =>
        `${JSON.stringify(withVariables(JSON.parse(text)), null, 2)}\n`,
      'deploy/helm/postrider/files/alerts.yaml': alerts,
      ...Object.fromEntries(
        DASHBOARDS.map((name) => [
          `deploy/helm/postrider/files/dashboards/${name}.json`,
          () => read(`deploy/observability/dashboards/${name}.json`),
        ]),
      ),
      'deploy/k8s/components/prometheus-operator/prometheus-rule.yaml': () =>
        RULE_HEAD + alerts().replace(/^(?=.)/gm, '  '),
    },
    layers: {
      'ARCHITECTURE.md': section('layers', 'layers', layersTable),
      'biome.layers.json': () => JSON.stringify(biomeConfig()),
    },
  };

/** Replaces the text between two markers. */
function section(kind: string, name: string, generate: () => string): Complete {
  const [begin, end] = [`<!-- ${name}: written by "npm run generate:${kind}" -->`, `<!-- end of ${name} -->`];
  return (text) => {
    const [from, to] = [text.indexOf(begin), text.indexOf(end)];
    if (from < 0 || to < from) throw new Error(`there is no place for the ${name}`);
    return `${text.slice(0, from + begin.length)}\n${generate()}\n${text.slice(to)}`;
  };
}
