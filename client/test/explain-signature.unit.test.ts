import { generateKeyPairSync, sign } from 'node:crypto';
import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { explainSignature, type SignatureProblem } from '../src/explain-signature.js';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const SENT_AT = new Date('2026-03-01T12:00:00.000Z');
const BODY = '{"deliveryId":"whd_1","name":"Jürgen"}';

function signed(body: string, secret = SECRET) {
  const signature = new Webhook(secret).sign('whd_1', SENT_AT, body);
  const timestamp = String(SENT_AT.getTime() / 1000);
  return { 'Webhook-Id': 'whd_1', 'webhook-timestamp': timestamp, 'webhook-signature': signature };
}

describe('explainSignature', () => {
  const valid = { secret: SECRET, headers: signed(BODY), body: BODY, nowMs: SENT_AT.getTime() };
  const cases: readonly [string, Partial<typeof valid>, readonly SignatureProblem[]][] = [
    ['accepts a valid signature', {}, []],
    [
      'accepts one of several signatures',
      { headers: { ...signed(BODY), 'webhook-signature': `v1,AAAA ${signed(BODY)['webhook-signature']}` } },
      [],
    ],
    [
      'names each missing header',
      { headers: { ...signed(BODY), 'webhook-timestamp': '', 'webhook-signature': '' } },
      [
        { kind: 'missing_header', header: 'webhook-timestamp' },
        { kind: 'missing_header', header: 'webhook-signature' },
      ],
    ],
    ['rejects a secret that is not base64', { secret: 'whsec_%' }, [{ kind: 'malformed_secret' }]],
    [
      'rejects a timestamp that is no number, besides the signature over it',
      { headers: { ...signed(BODY), 'webhook-timestamp': 'noon' } },
      [{ kind: 'malformed_timestamp' }, { kind: 'wrong_secret_or_content' }],
    ],
    [
      'reports the age of an old signature',
      { nowMs: SENT_AT.getTime() + 600_000 },
      [{ kind: 'timestamp_outside_tolerance', ageSeconds: 600 }],
    ],
    [
      'reports a signature from the future',
      { nowMs: SENT_AT.getTime() - 600_000 },
      [{ kind: 'timestamp_outside_tolerance', ageSeconds: -600 }],
    ],
    [
      'rejects a header without a supported signature',
      { headers: { ...signed(BODY), 'webhook-signature': 'v2,AAAA' } },
      [{ kind: 'no_supported_signature' }],
    ],
    [
      'recognises JSON that was parsed and written again',
      { body: JSON.stringify(JSON.parse(BODY), null, 2) },
      [{ kind: 'body_changed', change: 'reformatted_json' }],
    ],
    [
      'recognises added whitespace',
      { body: `${BODY}\n` },
      [{ kind: 'body_changed', change: 'added_whitespace' }],
    ],
    [
      'recognises UTF-8 that was read as Latin-1',
      { body: Buffer.from(BODY, 'utf8').toString('latin1') },
      [{ kind: 'body_changed', change: 'wrong_character_encoding' }],
    ],
    [
      'reports another secret',
      { secret: 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' },
      [{ kind: 'wrong_secret_or_content' }],
    ],
  ];
  for (const [name, change, problems] of cases) {
    it(name, async () => {
      expect(await explainSignature({ ...valid, ...change })).to.deep.equal(problems);
    });
  }

  it('checks ed25519 signatures with the public key', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const { x = '' } = publicKey.export({ format: 'jwk' });
    const secret = `whpk_${Buffer.from(x, 'base64url').toString('base64')}`;
    const headers = signed(BODY);
    const content = Buffer.from(`whd_1.${headers['webhook-timestamp']}.${BODY}`);
    const both = `${headers['webhook-signature']} v1a,${sign(null, content, privateKey).toString('base64')}`;
    const question = { ...valid, secret, headers: { ...headers, 'webhook-signature': both } };
    expect(await explainSignature(question)).to.deep.equal([]);
    expect(await explainSignature({ ...question, body: `${BODY} ` })).to.deep.equal([
      { kind: 'body_changed', change: 'added_whitespace' },
    ]);
    expect(await explainSignature({ ...question, headers })).to.deep.equal([
      { kind: 'no_supported_signature' },
    ]);
    expect(await explainSignature({ ...question, secret: 'whpk_AAAA' })).to.deep.equal([
      { kind: 'malformed_secret' },
    ]);
  });
});
