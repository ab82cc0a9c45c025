import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '@postrider/shared/runtime/config';
import { startTracing } from '@postrider/shared/tracing/start-tracing';
import { TRACING } from '@postrider/shared/tracing/tracing-config';
import { expect } from 'chai';
import { type Collector, collector } from '../collector.js';
import { type Certificates, makeCertificates } from './certificates.js';

describe('a collector with a certificate of a private authority', () => {
  let directory: string;
  let certificates: Certificates;
  let collecting: Collector;
  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'postrider-collector-'));
    certificates = await makeCertificates(directory);
    const { cert, key } = certificates.server;
    collecting = await collector({ cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') });
  });
  after(async () => {
    await collecting?.close();
    rmSync(directory, { recursive: true, force: true });
  });

  /** Exports one span. */
  async function exportOne(name: string, authority: object): Promise<void> {
    const config = readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: collecting.url, ...authority }, TRACING);
    const tracing = await startTracing(config, 'dispatcher');
    const where = { traceId: 'a'.repeat(32), parentSpanId: null };
    const when = { startedAt: new Date(0), endedAt: new Date(1) };
    tracing?.record({ name, kind: 'client', ...where, ...when, attributes: {}, failed: false });
    await tracing?.close();
  }

  it('gets spans with OTEL_EXPORTER_OTLP_CERTIFICATE, which no other connection trusts', async () => {
    await exportOne('untrusted', {});
    await exportOne('trusted', { OTEL_EXPORTER_OTLP_CERTIFICATE: certificates.ca });
    expect(collecting.spans.map(({ name }) => name)).to.deep.equal(['trusted']);
    const { cause } = (await fetch(collecting.url).catch((error: Error) => error)) as Error;
    expect(cause)
      .to.have.property('code')
      .that.matches(/SIGNATURE|SELF_SIGNED|ISSUER/);
  });
});
