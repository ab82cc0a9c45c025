import { expect } from 'chai';
import { consumerSettings, fetchWaitMs } from '../../src/kafka/consumer-settings.js';

describe('consumer settings', () => {
  it('make members notice a rebalance within half a second', () => {
    expect(consumerSettings(30_000).heartbeatInterval).to.equal(500);
  });

  it('let a fetch wait no longer than until the next heartbeat', () => {
    for (const session of [900, 30_000]) {
      const { maxWaitTimeInMs, heartbeatInterval } = consumerSettings(session);
      expect(maxWaitTimeInMs).to.be.at.most(heartbeatInterval);
    }
  });

  it('let fetches of a consumer that has read nothing for ten seconds wait for a second', () => {
    expect([9_999, 10_000].map((quietMs) => fetchWaitMs(30_000, quietMs))).to.deep.equal([500, 1_000]);
  });

  it('have at least three fetches in a session, also when idle', () => {
    expect(fetchWaitMs(900, 60_000)).to.equal(300);
  });

  it('have at least three heartbeats in a session of any length', () => {
    expect(consumerSettings(900).heartbeatInterval).to.equal(300);
  });
});
