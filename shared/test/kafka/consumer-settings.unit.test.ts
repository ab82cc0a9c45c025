import { expect } from 'chai';
import { consumerSettings } from '../../src/kafka/consumer-settings.js';

describe('consumer settings', () => {
  it('make members notice a rebalance within half a second', () => {
    expect(consumerSettings(30_000).heartbeatInterval).to.equal(500);
  });

  it('have at least three heartbeats in a session of any length', () => {
    expect(consumerSettings(900).heartbeatInterval).to.equal(300);
  });
});
