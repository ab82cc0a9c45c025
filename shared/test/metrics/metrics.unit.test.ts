import { mock } from 'node:test';
import { expect } from 'chai';
import { METRICS } from '../../src/metrics/catalog.js';
import { createMetrics } from '../../src/metrics/metrics.js';
import { startMetricsServer } from '../../src/metrics/metrics-server.js';
import type { Listener } from '../../src/runtime/listen.js';

describe('metrics of a process', () => {
  const lines = async (metrics: { text(): Promise<string> }, name: string) =>
    (await metrics.text()).split('\n').filter((line) => line.startsWith(name));

  it('include its version and those of Node', async () => {
    const metrics = createMetrics('api', '1.2.3');
    expect(await lines(metrics, 'postrider_')).to.deep.equal([
      'postrider_build_info{service="api",version="1.2.3"} 1',
    ]);
    for (const name of ['nodejs_eventloop_lag_p99_seconds', 'process_resident_memory_bytes', 'nodejs_gc_'])
      expect(await metrics.text(), name).to.contain(name);
  });

  it('read a gauge at each scrape', async () => {
    const metrics = createMetrics('api', '1');
    let parked = 3;
    metrics.gauge('postrider_parked_endpoints', () => parked);
    expect(await lines(metrics, 'postrider_parked')).to.deep.equal(['postrider_parked_endpoints 3']);
    parked = 0;
    expect(await lines(metrics, 'postrider_parked')).to.deep.equal(['postrider_parked_endpoints 0']);
  });

  it('omit unknown values and export the rest', async () => {
    const metrics = createMetrics('api', '1');
    metrics.gauge('postrider_outbox_waiting', () => Promise.reject(new Error('away')));
    metrics.gauge('postrider_in_flight', () => {
      throw new Error('broken');
    });
    metrics.gauge('postrider_jobs', () => null);
    metrics.gauge('postrider_unsettled', async () => 7);
    const exported = await lines(metrics, 'postrider_');
    expect(exported.filter((line) => !line.includes('build_info'))).to.deep.equal(['postrider_unsettled 7']);
  });

  // Regression: with three services in a process a scrape took 6 to 10 s while the database did not answer, as long as Prometheus waits.
  it('ask the next service of the process for a value after a failure, unless that took long', async () => {
    let now = 0;
    mock.method(performance, 'now', () => now);
    try {
      for (const [failsAfterMs, exported] of [
        [10, ['postrider_outbox_waiting 5']],
        [2_000, []],
      ] as const) {
        const metrics = createMetrics('all', '1');
        metrics.gauge('postrider_outbox_waiting', async () => {
          now += failsAfterMs;
          throw new Error('no response');
        });
        metrics.gauge('postrider_outbox_waiting', async () => 5);
        expect(await lines(metrics, 'postrider_outbox')).to.deep.equal(exported);
      }
    } finally {
      mock.restoreAll();
    }
  });

  it('drop labels that a gauge no longer has', async () => {
    const metrics = createMetrics('api', '1');
    let endpoints = ['a', 'b'];
    metrics.gauge('postrider_endpoint_failures', () =>
      endpoints.map((endpoint) => ({ labels: { endpoint }, value: 1 })),
    );
    expect(await lines(metrics, 'postrider_endpoint')).to.have.length(2);
    endpoints = ['c'];
    expect(await lines(metrics, 'postrider_endpoint')).to.deep.equal([
      'postrider_endpoint_failures{endpoint="c"} 1',
    ]);
  });
});

describe('declarations of metrics', () => {
  for (const [name, { kind, labels, buckets, help, from }] of Object.entries(METRICS)) {
    it(`give ${name} a name that follows the conventions`, () => {
      expect(name).to.match(/^postrider_[a-z0-9_]+$/);
      expect(name.endsWith('_total')).to.equal(kind === 'counter');
      expect(buckets).to.deep.equal([...buckets].sort((a, b) => a - b));
      expect(buckets.length > 0).to.equal(kind === 'histogram');
      expect(help).to.match(/^[A-Z]/);
      expect(from.length).to.be.at.least(1);
      // Labels that grow with customers would be unbounded. The worst endpoints are at most twenty.
      expect(labels.join()).not.to.match(/workspace|delivery|token/);
    });
  }
});

describe('metrics server', () => {
  let server: Listener;
  before(async () => {
    const metrics = createMetrics('janitor', '1');
    server = await startMetricsServer(metrics, { host: '127.0.0.1', port: 0 });
  });
  after(() => server.close());
  const ask = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${server.port}${path}`, init);

  it('responds in the text format of Prometheus', async () => {
    const answer = await ask('/metrics');
    expect(answer.status).to.equal(200);
    expect(answer.headers.get('content-type')).to.match(/^text\/plain; version=0\.0\.4/);
    expect(await answer.text()).to.contain('postrider_build_info{service="janitor",version="1"} 1');
  });

  it('responds 404 to other routes and 405 to other methods', async () => {
    expect((await ask('/')).status).to.equal(404);
    expect((await ask('/metrics', { method: 'POST' })).status).to.equal(405);
  });
});
