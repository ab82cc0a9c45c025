import { expect } from 'chai';
import { verify, Webhook, WebhookVerificationError } from '../src/index.js';

const SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
const OTHER = `whsec_${Buffer.alloc(32, 2).toString('base64')}`;
const BODY = JSON.stringify({
  deliveryId: 'whd_1',
  eventType: 'billing.plan_changed',
  payload: { plan: 'team' },
});

function signed(at = new Date()) {
  return {
    'webhook-id': 'whd_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(SECRET).sign('whd_1', at, BODY),
  };
}

describe('verify', () => {
  it('returns a signed delivery, for every kind of headers', () => {
    for (const headers of [
      signed(),
      new Headers(signed()),
      { ...signed(), cookie: ['a', 'b'], te: undefined },
    ]) {
      const delivery = verify({ secret: SECRET, headers, body: Buffer.from(BODY) });
      expect(delivery.eventType === 'billing.plan_changed' && delivery.payload.plan).to.equal('team');
    }
  });

  it('accepts any of several secrets', () => {
    expect(verify({ secret: [OTHER, SECRET], headers: signed(), body: BODY }).deliveryId).to.equal('whd_1');
  });

  for (const [name, request] of [
    ['another body', { secret: SECRET, headers: signed(), body: `${BODY} ` }],
    ['another secret', { secret: OTHER, headers: signed(), body: BODY }],
    ['no secret', { secret: [], headers: signed(), body: BODY }],
    ['an old signature', { secret: SECRET, headers: signed(new Date(Date.now() - 600_000)), body: BODY }],
    ['no signature', { secret: SECRET, headers: {}, body: BODY }],
  ] as const) {
    it(`rejects ${name}`, () => {
      expect(() => verify(request)).to.throw(WebhookVerificationError);
    });
  }
});
