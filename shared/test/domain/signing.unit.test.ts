import { createPublicKey, verify } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { formatSecret, newKey, SECRET_BYTES, signatures, signingKey } from '../../src/domain/signing.js';
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

describe('newKey', () => {
  /** RFC 8032, section 7.1, test 2. */
  const SEED = Buffer.from('4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb', 'hex');
  const PUBLIC = Buffer.from('3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c', 'hex');

  it('returns the public key that belongs to an ed25519 seed', () => {
    const { secret, publicKey } = newKey('ed25519', SEED);
    expect(secret).to.equal(`whsk_${SEED.toString('base64')}`);
    expect(publicKey).to.equal(`whpk_${PUBLIC.toString('base64')}`);
  });

  it('returns a signing secret and no public key for HMAC', () => {
    expect(newKey('hmac-sha256', SEED)).to.deep.equal({ secret: formatSecret(SEED), publicKey: null });
  });

  it('signs with v1a over the same bytes, next to v1', () => {
    const keys = [newKey('ed25519', SEED).secret, OLD].map(signingKey);
    const signed = signatures({ id: DELIVERY_ID, timestamp: 1, body }, keys);
    const [, asymmetric, hmac] = /^v1a,([A-Za-z0-9+/]{86}==) (v1,\S+)$/.exec(signed)!;
    expect(hmac).to.equal(signatures({ id: DELIVERY_ID, timestamp: 1, body }, [signingKey(OLD)]));
    const key = createPublicKey({
      key: { kty: 'OKP', crv: 'Ed25519', x: PUBLIC.toString('base64url') },
      format: 'jwk',
    });
    const content = Buffer.from(`${DELIVERY_ID}.1.${body}`);
    expect(verify(null, content, key, Buffer.from(asymmetric!, 'base64'))).to.equal(true);
  });

  it('parses no other text as a key', () => {
    expect(() => signingKey('{"authorization":"x"}')).to.throw('no signing key');
  });
});
