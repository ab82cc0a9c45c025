import { asId } from '@postrider/shared/domain/id';
import { expect } from 'chai';
import { clientKey } from '../../src/rate-limits/client-key.js';
import { parseTrustProxy } from '../../src/rate-limits/trust-proxy.js';

describe('a client', () => {
  const from = (ip: string | undefined, remoteAddress = '192.0.2.1') =>
    clientKey({ ip, socket: { remoteAddress } }, null);

  it('is its token, whatever its address', () => {
    expect(clientKey({ ip: '192.0.2.1', socket: {} }, { id: asId('token', 'tok_1') })).to.equal('tok_1');
  });

  for (const [ip, key] of [
    ['198.51.100.7', '198.51.100.7'],
    ['::ffff:198.51.100.7', '198.51.100.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::6', '2001:db8:1:2::/64'],
    ['2001:0DB8:1:2::', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ] as const) {
    it(`at ${ip} is ${key}`, () => {
      expect(from(ip)).to.equal(key);
    });
  }

  for (const nonsense of [undefined, '', 'unknown', '198.51.100.7:4711', 'x'.repeat(10_000)]) {
    it(`that a proxy calls ${String(nonsense).slice(0, 20)} is the proxy itself`, () => {
      expect(from(nonsense)).to.equal('192.0.2.1');
    });
  }
});

describe('TRUST_PROXY', () => {
  it('believes so many hops, counted from ours', () => {
    const believes = parseTrustProxy('1');
    expect([believes('192.0.2.1', 0), believes('192.0.2.1', 1)]).to.deep.equal([true, false]);
    expect(parseTrustProxy('0')('192.0.2.1', 0)).to.equal(false);
  });

  it('believes the hops of some addresses', () => {
    const believes = parseTrustProxy('10.0.0.0/8, fd00::/8');
    expect([believes('10.1.2.3', 5), believes('fd00::1', 0), believes('11.0.0.1', 0)]).to.deep.equal([
      true,
      true,
      false,
    ]);
  });

  for (const text of ['true', '-1', '10.0.0.1', 'loopback', '10.0.0.0/33']) {
    it(`refuses ${text}`, () => {
      expect(() => parseTrustProxy(text)).to.throw(RangeError, text);
    });
  }
});
