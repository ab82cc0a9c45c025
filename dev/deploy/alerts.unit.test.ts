import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { ALERTS, CHART_ALERTS, prometheusRule, RULE } from './alerts.js';

describe('the alerts on a cluster', () => {
  const alerts = readFileSync(ALERTS, 'utf8');

  it('are those that Prometheus is tested with; if not, run npm run generate:deploy', () => {
    expect(readFileSync(CHART_ALERTS, 'utf8')).to.equal(alerts);
    expect(readFileSync(RULE, 'utf8')).to.equal(prometheusRule(alerts));
  });
});
