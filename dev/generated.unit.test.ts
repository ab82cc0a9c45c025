import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { GENERATED } from './generated.js';
import { ROOT } from './start/paths.js';

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

describe('generated files', () => {
  for (const [kind, files] of Object.entries(GENERATED))
    for (const [file, complete] of Object.entries(files))
      it(`${file} is up to date; if not, run npm run generate:${kind}`, () => {
        const text = read(file);
        const meaning = (content: string) => (file.endsWith('.json') ? JSON.parse(content) : content);
        expect(meaning(complete(text))).to.deep.equal(meaning(text));
      });

  it('need their markers', () => {
    expect(() => GENERATED.guide['docs/events.md']?.('# Another guide')).to.throw('there is no place');
  });

  it('describe every field of events and of the data of notifications', () => {
    for (const field of ['previousPlan', 'occurredAt', 'data.failingSince', 'invitationId'])
      expect(read('docs/events.md')).to.include(`| \`${field}\` |`);
  });

  it('describe how each variable is written, its default and who reads it', () => {
    for (const row of [
      '| `RETRY_STEP` | dispatcher | duration | `30s` |',
      '| `KAFKA_TLS_CA_FILE` | all | text | *none* |',
      '| `MONGODB_URI` | all | text | *required* |',
      '| `OTEL_EXPORTER_OTLP_HEADERS` | all | list, comma-separated | *empty* |',
      '| `OUTAGE_GUARD_CANARY_INTERVAL` | dispatcher | duration | `1s` |',
      '| `LOG_SAMPLE_DELIVERED` | dispatcher | number | `0.01` |',
      '| `MAX_JOBS` | dispatcher | number | `32000` |',
      '| `TOPIC_REPLICATION_FACTOR` | admin migrate | number | `-1` |',
      '| `RETENTION` | janitor | duration | `30d` |',
    ])
      expect(read('docs/operating.md')).to.include(`\n${row}`);
  });

  it('allow the variables of the services in the chart, except those that the chart sets', () => {
    const schema = JSON.parse(read('deploy/helm/postrider/values.schema.json'));
    expect(Object.keys(schema.properties.config.properties))
      .to.include.members(['RETRY_STEP', 'HOST', 'NODE_OPTIONS'])
      .and.not.to.include('PORT');
  });
});
