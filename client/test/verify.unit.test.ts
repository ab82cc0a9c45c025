import { generateKeyPairSync, sign } from 'node:crypto';
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

const pair = () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const { x = '' } = publicKey.export({ format: 'jwk' });
  return { privateKey, text: `whpk_${Buffer.from(x, 'base64url').toString('base64')}` };
};
const PAIR = pair();

/** Signed by the key pair, after a signature of the secret. */
function signedByPair(at = new Date()) {
  const headers = signed(at);
  const content = `whd_1.${headers['webhook-timestamp']}.${BODY}`;
  const signature = sign(null, Buffer.from(content), PAIR.privateKey).toString('base64');
  return { ...headers, 'webhook-signature': `${headers['webhook-signature']} v1a,${signature}` };
}

describe('verify', () => {
  it('accepts an ed25519 signature by its public key, next to one by a secret', () => {
    const headers = signedByPair();
    for (const secret of [PAIR.text, SECRET, [OTHER, PAIR.text], [pair().text, SECRET]])
      expect(verify({ secret, headers, body: BODY }).deliveryId).to.equal('whd_1');
    expect(
      verify({ secret: PAIR.text, headers: new Headers(headers), body: Buffer.from(BODY) }),
    ).to.deep.equal(JSON.parse(BODY));
  });

  // Regression: none of its headers was seen, so that every delivery was refused as one of another sender.
  it('takes the headers of a polyfill', () => {
    const headers = new Map(Object.entries(signed()));
    expect(verify({ secret: SECRET, headers: headers as never, body: BODY }).deliveryId).to.equal('whd_1');
  });

  for (const [name, request] of [
    ['another body', { secret: PAIR.text, headers: signedByPair(), body: `${BODY} ` }],
    ['another public key', { secret: pair().text, headers: signedByPair(), body: BODY }],
    ['signatures of another kind alone', { secret: PAIR.text, headers: signed(), body: BODY }],
    [
      'an old signature',
      { secret: PAIR.text, headers: signedByPair(new Date(Date.now() - 600_000)), body: BODY },
    ],
    [
      'one of the future',
      { secret: PAIR.text, headers: signedByPair(new Date(Date.now() + 600_000)), body: BODY },
    ],
    [
      'a timestamp that is no number',
      { secret: PAIR.text, headers: { ...signedByPair(), 'webhook-timestamp': 'x' }, body: BODY },
    ],
    ['no signature', { secret: PAIR.text, headers: {}, body: BODY }],
  ] as const) {
    it(`rejects ${name} with a public key`, () => {
      expect(() => verify(request)).to.throw(WebhookVerificationError);
    });
  }

  it('refuses a public key that is none', () => {
    expect(() => verify({ secret: 'whpk_AAAA', headers: signedByPair(), body: BODY })).to.throw('32 bytes');
  });

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
