import { expect } from 'chai';
import { consumerSettings } from '../../src/kafka/consumer-settings.js';

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

  it('have at least three heartbeats in a session of any length', () => {
    expect(consumerSettings(900).heartbeatInterval).to.equal(300);
  });
});
