import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { ALERTS, CHART_ALERTS, prometheusRule, RULE } from './alerts.js';
import { CHART_SCHEMA, withVariables } from './chart-schema.js';

const schema = JSON.parse(readFileSync(CHART_SCHEMA, 'utf8'));
writeFileSync(CHART_SCHEMA, `${JSON.stringify(withVariables(schema), null, 2)}\n`);

const alerts = readFileSync(ALERTS, 'utf8');
mkdirSync(dirname(CHART_ALERTS), { recursive: true });
writeFileSync(CHART_ALERTS, alerts);
writeFileSync(RULE, prometheusRule(alerts));
