import { expect } from 'chai';
import { formatToken } from '../../src/domain/api-token.js';
import { formatAcceptToken } from '../../src/domain/invitation.js';
import { SECRET_PREFIXES } from '../../src/domain/secret-prefixes.js';
import { formatSecret } from '../../src/domain/signing.js';
import { withoutSecrets } from '../../src/runtime/log.js';

describe('withoutSecrets', () => {
  const RANDOM = Buffer.from('fbff3ee0'.repeat(8), 'hex');
  const SECRETS = Object.values(SECRET_PREFIXES).flatMap((prefix) =>
    (['base64', 'base64url'] as const).map((encoding) => `${prefix}${RANDOM.toString(encoding)}`),
  );
  const MADE = [formatToken(RANDOM), formatAcceptToken(RANDOM), formatSecret(RANDOM)];
  for (const secret of new Set([...SECRETS, ...MADE])) {
    it(`redacts ${secret.slice(0, 8)}… at any position`, () => {
      const line = withoutSecrets(`{"err":{"message":"unknown: ${secret}, sorry","stack":"at ${secret}"}}`);
      expect(line).to.equal('{"err":{"message":"unknown: [redacted], sorry","stack":"at [redacted]"}}');
    });
  }

  it('redacts a JWT at any position', () => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const jwt = `${part({ alg: 'ES256', kid: 'k1' })}.${part({ sub: 'ada', exp: 1 })}.${RANDOM.toString('base64url')}`;
    expect(withoutSecrets(`{"a":"Bearer ${jwt}","b":"${jwt}, sorry"}`)).to.equal(
      '{"a":"Bearer [redacted]","b":"[redacted], sorry"}',
    );
  });

  it('redacts the password of a URL, but not the user', () => {
    const line = withoutSecrets('"cannot reach mongodb://ada:s3cr:et!@db-0:27017/postrider?x=y"');
    expect(line).to.equal('"cannot reach mongodb://ada:[redacted]@db-0:27017/postrider?x=y"');
  });

  it('keeps text that only resembles secrets', () => {
    for (const line of [
      '{"url":"https://hooks.example.com:8443/a@b","prefix":"prt_AbCd"}',
      '{"kafka":"kafka-0:9092","msg":"12:30 mail to ada@example.com"}',
    ])
      expect(withoutSecrets(line)).to.equal(line);
  });
});
