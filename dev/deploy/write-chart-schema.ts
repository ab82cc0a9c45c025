import { readFileSync, writeFileSync } from 'node:fs';
import { CHART_SCHEMA, withVariables } from './chart-schema.js';

writeFileSync(
  CHART_SCHEMA,
  `${JSON.stringify(withVariables(JSON.parse(readFileSync(CHART_SCHEMA, 'utf8'))), null, 2)}\n`,
);
