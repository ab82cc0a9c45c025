import { expect } from 'chai';
import { withoutSecrets } from '../../src/runtime/log.js';

describe('withoutSecrets', () => {
  const SECRETS = [`prt_${'aB3-_'.repeat(8)}x`, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo='];
  for (const secret of SECRETS) {
    it(`redacts ${secret.slice(0, 8)}… at any position`, () => {
      const line = withoutSecrets(`{"err":{"message":"unknown: ${secret}, sorry","stack":"at ${secret}"}}`);
      expect(line).to.equal('{"err":{"message":"unknown: [redacted], sorry","stack":"at [redacted]"}}');
    });
  }

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
