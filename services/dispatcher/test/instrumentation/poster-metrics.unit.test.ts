import { createMetrics } from '@postrider/shared/metrics/metrics';
import { expect } from 'chai';
import { countPosterEvents } from '../../src/instrumentation/poster-metrics.js';

describe('the metrics of name lookups', () => {
  const counts = async (metrics: ReturnType<typeof createMetrics>) =>
    Object.fromEntries(
      [...(await metrics.text()).matchAll(/^postrider_look_ups_total\{.*result="(\w+)".*\} (\d+)$/gm)].map(
        ([, result, count]) => [result, Number(count)],
      ),
    );

  // Regression: PostriderNameServersDown compared answers with 0 that had no series before the first one.
  it('have a count of 0 for each result from the start', async () => {
    const metrics = createMetrics('dispatcher', '0.0.0');
    const { onLookup } = countPosterEvents(metrics);
    const none = { found: 0, no_such_name: 0, failed: 0, not_sent: 0, stale: 0 };
    expect(await counts(metrics)).to.deep.equal(none);
    onLookup('not_sent');
    expect(await counts(metrics)).to.deep.equal({ ...none, not_sent: 1 });
  });
});
