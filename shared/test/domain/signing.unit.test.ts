import { expect } from 'chai';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { formatSecret, SECRET_BYTES, signatures, signingKey } from '../../src/domain/signing.js';
import { DELIVERY_ID, NOON } from '../../src/testing/builders.js';

const secretOf = (fill: number) => formatSecret(new Uint8Array(SECRET_BYTES).fill(fill));
const OLD = secretOf(1);
const NEW = secretOf(2);
const body = JSON.stringify({
  deliveryId: DELIVERY_ID,
  eventType: 'webhook.test_event',
  payload: { naïve: '✓' },
});

describe('signing', () => {
  it('matches the published test vector of Standard Webhooks', () => {
    const signed = {
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      timestamp: 1_614_265_330,
      body: '{"test": 2432232314}',
    };
    const key = signingKey('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw');
    expect(signatures(signed, [key])).to.equal('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  });

  it('matches the Standard Webhooks library for any key and body', () => {
    const key = fc.uint8Array({ minLength: SECRET_BYTES, maxLength: SECRET_BYTES });
    fc.assert(
      fc.property(key, fc.json(), (bytes, text) => {
        const secret = formatSecret(bytes);
        const timestamp = NOON.getTime() / 1_000;
        const ours = signatures({ id: DELIVERY_ID, timestamp, body: text }, [signingKey(secret)]);
        expect(ours).to.equal(new Webhook(secret).sign(DELIVERY_ID, NOON, text));
      }),
      { numRuns: 30 },
    );
  });

  it('is accepted by a receiver with either secret of a rotation', () => {
    const timestamp = Math.floor(Date.now() / 1_000);
    const keys = [NEW, OLD].map(signingKey);
    const headers = {
      'webhook-id': DELIVERY_ID,
      'webhook-timestamp': `${timestamp}`,
      'webhook-signature': signatures({ id: DELIVERY_ID, timestamp, body }, keys),
    };
    for (const secret of [OLD, NEW]) {
      expect(new Webhook(secret).verify(body, headers)).to.deep.equal(JSON.parse(body));
    }
    expect(() => new Webhook(secretOf(3)).verify(body, headers)).to.throw('No matching signature');
    expect(() => new Webhook(NEW).verify(`${body} `, headers)).to.throw('No matching signature');
  });

  it('returns one signature per key, in the given order', () => {
    const signed = { id: DELIVERY_ID, timestamp: 1, body };
    const [first, second] = [signatures(signed, [signingKey(NEW)]), signatures(signed, [signingKey(OLD)])];
    expect(signatures(signed, [NEW, OLD].map(signingKey))).to.equal(`${first} ${second}`);
    expect(first).to.match(/^v1,[A-Za-z0-9+/]{43}=$/);
    expect(first).not.to.equal(second);
  });

  it('changes with the id, the timestamp and the body', () => {
    const signed = { id: DELIVERY_ID, timestamp: 1, body };
    const variants = [
      signed,
      { ...signed, id: 'whd_2' },
      { ...signed, timestamp: 2 },
      { ...signed, body: '{}' },
    ];
    const all = variants.map((variant) => signatures(variant, [signingKey(NEW)]));
    expect(new Set(all).size).to.equal(variants.length);
  });
});

describe('formatSecret', () => {
  it('returns whsec_ and the standard base64 of 32 bytes', () => {
    expect(formatSecret(new Uint8Array(SECRET_BYTES).fill(0xfb))).to.match(
      /^whsec_\+\/v7\+[A-Za-z0-9+/]{38}=$/,
    );
  });

  it('can be parsed to the same key', () => {
    const bytes = Uint8Array.from({ length: SECRET_BYTES }, (_, index) => index * 7);
    expect(signingKey(formatSecret(bytes)).export()).to.deep.equal(Buffer.from(bytes));
  });
});
