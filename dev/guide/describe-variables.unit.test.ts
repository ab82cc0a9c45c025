import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect } from 'chai';
import { withVariablesTable } from './describe-variables.js';

describe('the operating guide', () => {
  const guide = readFileSync(resolve(import.meta.dirname, '../../../docs/operating.md'), 'utf8');

  it('lists the variables as they are declared; "npm run generate:guide" writes them anew', () => {
    expect(guide).to.equal(withVariablesTable(guide));
  });

  it('tells how each is written and what it is without', () => {
    expect(guide).to.match(/^\| `RETRY_STEP` \| dispatcher \| span of time \| `30s` \|/m);
    expect(guide).to.match(/^\| `KAFKA_TLS_CA_FILE` \| all \| text \| \*none\* \|/m);
    expect(guide).to.match(/^\| `MONGODB_URI` \| all \| text \| \*required\* \|/m);
    expect(guide).to.match(
      /^\| `OTEL_EXPORTER_OTLP_HEADERS` \| all \| list, comma-separated \| \*empty\* \|/m,
    );
    expect(guide).to.match(/^\| `TOPIC_REPLICATION_FACTOR` \| admin migrate \| number \| `-1` \|/m);
    expect(guide).to.match(/^\| `RETENTION` \| janitor \| span of time \| `30d` \|/m);
  });
});
