import { asId } from '@postrider/shared/domain/id';
import { expect } from 'chai';
import { clientKey, siteOf } from '../../src/rate-limits/client-key.js';
import { parseTrustProxy } from '../../src/rate-limits/trust-proxy.js';

describe('clientKey', () => {
  const from = (ip: string | undefined, remoteAddress = '192.0.2.1') =>
    clientKey({ ip, socket: { remoteAddress } }, null);

  it('is the token id for any address', () => {
    expect(clientKey({ ip: '192.0.2.1', socket: {} }, { id: asId('token', 'tok_1') })).to.equal('tok_1');
  });

  for (const [ip, key] of [
    ['198.51.100.7', '198.51.100.7'],
    ['::ffff:198.51.100.7', '198.51.100.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::6', '2001:db8:1:2::/64'],
    ['2001:0DB8:1:2::', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001::3:4:5:6:7:8', '2001:0:3:4::/64'],
    ['::2:3:4:5:6:7:8', '0:2:3:4::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ] as const) {
    it(`is ${key} for ${ip}`, () => {
      expect(from(ip)).to.equal(key);
    });
  }

  it('is empty once the connection is closed', () => {
    expect(clientKey({ ip: undefined, socket: {} }, null)).to.equal('');
  });

  for (const nonsense of [undefined, '', 'unknown', '198.51.100.7:4711', 'x'.repeat(10_000)]) {
    it(`is the address of the proxy when it forwards "${String(nonsense).slice(0, 20)}"`, () => {
      expect(from(nonsense)).to.equal('192.0.2.1');
    });
  }
});

describe('siteOf', () => {
  for (const [address, site] of [
    ['198.51.100.7', null],
    ['', null],
    ['2001:0DB8:1:2::6', '2001:db8:1::/48'],
    ['2001:db8::1', '2001:db8:0::/48'],
  ] as const)
    it(`is ${site} for "${address}"`, () => expect(siteOf(address)).to.equal(site));
});

describe('TRUST_PROXY', () => {
  it('trusts a number of hops, starting next to the api', () => {
    const trusts = parseTrustProxy('1');
    expect([trusts('192.0.2.1', 0), trusts('192.0.2.1', 1)]).to.deep.equal([true, false]);
    expect(parseTrustProxy('0')('192.0.2.1', 0)).to.equal(false);
  });

  it('trusts the hops in address ranges', () => {
    const trusts = parseTrustProxy('10.0.0.0/8, fd00::/8');
    expect([trusts('10.1.2.3', 5), trusts('fd00::1', 0), trusts('11.0.0.1', 0)]).to.deep.equal([
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
