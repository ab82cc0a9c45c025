import { expect } from 'chai';
import { consumerSettings } from '../../src/kafka/consumer-settings.js';

describe('the settings of all consumers', () => {
  it('let a member hear of a rebalance within half a second, for the others stand still until it has', () => {
    expect(consumerSettings(30_000).heartbeatInterval).to.equal(500);
  });

  it('have at least three heartbeats in a session, however short it is', () => {
    expect(consumerSettings(900).heartbeatInterval).to.equal(300);
  });
});
