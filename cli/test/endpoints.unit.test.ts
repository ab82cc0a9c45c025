import { expect } from 'chai';
import { runAgainst } from './fake-api.js';

const ENDPOINT = {
  id: 'whe_1',
  url: 'https://example.com/hook',
  eventTypes: ['*'],
  description: null,
  enabled: true,
  disabledReason: null,
  consecutiveFailures: 0,
  heldDeliveries: 0,
  headerNames: [],
  metadata: {},
  filter: null,
  ratePerSecond: null,
  signing: 'hmac-sha256',
  publicKey: null,
  recovery: 'manual',
};

describe('postrider endpoints update', () => {
  const update = async (answer: object) =>
    (await runAgainst(() => ({ body: answer }), 'endpoints', 'update', 'whe_1', '--enable', '--replay-held'))
      .out;

  it('names the replay job that sends what was held', async () => {
    expect((await update({ ...ENDPOINT, replayJobId: 'rpl_1' })).at(-1)).to.equal(
      '  replay job rpl_1 sends what was held',
    );
    expect((await update(ENDPOINT)).at(-1)).to.include('held deliveries');
  });
});
