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
