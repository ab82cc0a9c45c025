import { join } from 'node:path';
import { ROOT } from '../start/places.js';
import { CHART } from './render.js';

/** The alerts as Prometheus reads them, and what is made of them: a chart and a kustomization read no files outside. */
export const ALERTS = join(ROOT, 'deploy/observability/alerts.yaml');
export const CHART_ALERTS = join(CHART, 'files/alerts.yaml');
export const RULE = join(ROOT, 'deploy/k8s/components/prometheus-operator/prometheus-rule.yaml');

const HEAD = `apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata:
  name: postrider
  labels:
    app.kubernetes.io/name: postrider
    app.kubernetes.io/instance: postrider
spec:
`;

/** The alerts as an object of the Prometheus operator. */
export function prometheusRule(alerts: string): string {
  return HEAD + alerts.replace(/^(?=.)/gm, '  ');
}
