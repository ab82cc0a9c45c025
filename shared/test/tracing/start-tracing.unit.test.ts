import { execFileSync } from 'node:child_process';
import { expect } from 'chai';
import { startTracing } from '../../src/tracing/start-tracing.js';

const OFF = {
  OTEL_EXPORTER_OTLP_ENDPOINT: '',
  OTEL_EXPORTER_OTLP_HEADERS: {},
  OTEL_EXPORTER_OTLP_CERTIFICATE: undefined,
  OTEL_TRACES_SAMPLER_ARG: 1,
};

describe('tracing', () => {
  it('is off without a collector', async () => {
    expect(await startTracing(OFF, 'api')).to.equal(null);
  });

  it('stops without a reachable collector', async () => {
    const unreachable = { ...OFF, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' };
    const tracing = await startTracing(unreachable, 'api');
    const when = { startedAt: new Date(0), endedAt: new Date(1) };
    const where = { traceId: 'a'.repeat(32), parentSpanId: null };
    tracing?.record({ name: 'attempt', kind: 'client', ...where, ...when, attributes: {}, failed: true });
    const began = performance.now();
    await tracing?.close();
    expect(performance.now() - began).to.be.below(4_000);
  }).timeout(5_000);

  it('does not load its library while it is off', () => {
    const loaded = (endpoint: string) => {
      const script = `
        import { registerHooks } from 'node:module';
        const urls = [];
        registerHooks({ load(url, context, next) { urls.push(url); return next(url, context); } });
        const { startTracing } = await import('${new URL('../../src/tracing/start-tracing.js', import.meta.url)}');
        await startTracing(${JSON.stringify({ ...OFF, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint })}, 'api');
        console.log(urls.filter((url) => url.includes('opentelemetry')).length);
        process.exit();`;
      return Number(
        execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }),
      );
    };
    expect(loaded('')).to.equal(0);
    expect(loaded('http://127.0.0.1:1')).to.be.at.least(1);
  });
});
