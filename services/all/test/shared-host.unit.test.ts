import type { Metrics } from '@postrider/shared/metrics/metrics';
import type { Platform } from '@postrider/shared/platform/platform';
import { expect } from 'chai';
import { createSharedHost } from '../src/shared-host.js';

describe('health of services that share a process', () => {
  /** The liveness of a process with two services that consume from Kafka. */
  const isAlive = async (...consumers: readonly [boolean, boolean]) => {
    const host = createSharedHost({ platform: {} as Platform, metrics: {} as Metrics, services: 3 });
    for (const alive of consumers)
      await host.startHealthServer({ host: '', port: 0, alive: () => alive, readiness: () => [] });
    return host.health.alive();
  };

  it('asks for a restart when the consumers of one service are stuck', async () => {
    expect(await isAlive(true, true)).to.equal(true);
    expect(await isAlive(true, false)).to.equal(false);
    expect(await isAlive(false, true)).to.equal(false);
  });

  // Regression: while the broker was away for more than 5 minutes, the api was restarted and could not start again.
  it('asks for none while all consumers lack the broker, because the api serves its callers', async () => {
    expect(await isAlive(false, false)).to.equal(true);
  });
});
