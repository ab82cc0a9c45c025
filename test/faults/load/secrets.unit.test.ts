import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { createSecrets, isSigned } from './secrets.js';

describe('secrets of an endpoint', () => {
  const secrets = createSecrets();
  for (const [index, secret] of ['first', 'second', 'third'].entries()) secrets.add(secret, index * 100_000);

  const VALID = {
    'the only one': [50_000, ['first']],
    'the current and the previous one': [150_000, ['first', 'second']],
    'no longer the oldest one': [250_000, ['second', 'third']],
    'also the oldest one while POSTs may be in flight': [205_000, ['first', 'second', 'third']],
    'only two once no POST can be in flight': [211_000, ['second', 'third']],
    'also the next one shortly before its rotation is answered': [90_000, ['first', 'second']],
    'not the next one long before its rotation is answered': [80_000, ['first']],
  } as const;
  for (const [which, [moment, expected]] of Object.entries(VALID))
    it(`that are valid at a time: ${which}`, () => expect(secrets.validAt(moment)).to.deep.equal(expected));
});

describe('isSigned', () => {
  const secret = `whsec_${Buffer.alloc(24, 1).toString('base64')}`;
  const other = `whsec_${Buffer.alloc(24, 2).toString('base64')}`;
  const body = Buffer.from('{"name":"Grüße"}');
  const signature = new Webhook(secret).sign('whd_1', new Date(1_000_000), body);
  const headers = {
    'webhook-id': 'whd_1',
    'webhook-timestamp': '1000',
    'webhook-signature': `v1,AAAA ${signature}`,
  };

  it('accepts a signature by any of the secrets within the tolerance only', () => {
    expect(isSigned({ headers, body }, [other, secret], 1_299_000)).to.equal(true);
    expect(isSigned({ headers, body }, [other, secret], 1_301_000)).to.equal(false);
    expect(isSigned({ headers, body }, [other], 1_000_000)).to.equal(false);
  });

  it('rejects another body, and missing headers', () => {
    expect(isSigned({ headers, body: Buffer.from('{}') }, [secret], 1_000_000)).to.equal(false);
    expect(isSigned({ headers: {}, body }, [secret], 1_000_000)).to.equal(false);
  });
});
