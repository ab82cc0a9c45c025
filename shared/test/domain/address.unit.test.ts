import { expect } from 'chai';
import {
  addressRanges,
  addressRangesInEveryForm,
  isAddressWithPort,
  isPublicAddress,
} from '../../src/domain/address.js';

/** The first and last address of each range that is not public, and its public neighbours, if any. */
const V4 = [
  { range: '"this" network 0/8', inside: ['0.0.0.0', '0.255.255.255'], outside: ['1.0.0.0'] },
  { range: 'private 10/8', inside: ['10.0.0.0', '10.255.255.255'], outside: ['9.255.255.255', '11.0.0.0'] },
  { range: 'CGNAT', inside: ['100.64.0.0', '100.127.255.255'], outside: ['100.63.255.255', '100.128.0.0'] },
  { range: 'loopback', inside: ['127.0.0.0', '127.255.255.255'], outside: ['126.255.255.255', '128.0.0.0'] },
  {
    range: 'link-local',
    inside: ['169.254.0.0', '169.254.169.254', '169.254.255.255'],
    outside: ['169.255.0.0'],
  },
  {
    range: 'private 172.16/12',
    inside: ['172.16.0.0', '172.31.255.255'],
    outside: ['172.15.255.255', '172.32.0.0'],
  },
  {
    range: 'IETF protocols',
    inside: ['192.0.0.0', '192.0.0.255'],
    outside: ['191.255.255.255', '192.0.1.0'],
  },
  { range: 'documentation 1', inside: ['192.0.2.0', '192.0.2.255'], outside: ['192.0.1.255', '192.0.3.0'] },
  {
    range: '6to4 relays',
    inside: ['192.88.99.0', '192.88.99.255'],
    outside: ['192.88.98.255', '192.88.100.0'],
  },
  { range: 'AS112', inside: ['192.31.196.0', '192.31.196.255'], outside: ['192.31.195.255', '192.31.197.0'] },
  { range: 'AMT', inside: ['192.52.193.0', '192.52.193.255'], outside: ['192.52.192.255', '192.52.194.0'] },
  {
    range: 'AS112, direct',
    inside: ['192.175.48.0', '192.175.48.255'],
    outside: ['192.175.47.255', '192.175.49.0'],
  },
  {
    range: 'private 192.168/16',
    inside: ['192.168.0.0', '192.168.255.255'],
    outside: ['192.167.255.255', '192.169.0.0'],
  },
  {
    range: 'benchmarks',
    inside: ['198.18.0.0', '198.19.255.255'],
    outside: ['198.17.255.255', '198.20.0.0'],
  },
  {
    range: 'documentation 2',
    inside: ['198.51.100.0', '198.51.100.255'],
    outside: ['198.51.99.255', '198.51.101.0'],
  },
  {
    range: 'documentation 3',
    inside: ['203.0.113.0', '203.0.113.255'],
    outside: ['203.0.112.255', '203.0.114.0'],
  },
  {
    range: 'metadata, DNS and probes of Azure',
    inside: ['168.63.129.16'],
    outside: ['168.63.129.15', '168.63.129.17'],
  },
  {
    range: 'infrastructure services of IBM Cloud',
    inside: ['161.26.0.0', '161.26.255.255'],
    outside: ['161.25.255.255', '161.27.0.0'],
  },
  {
    range: 'service endpoints of IBM Cloud',
    inside: ['166.8.0.0', '166.11.255.255'],
    outside: ['166.7.255.255', '166.12.0.0'],
  },
  { range: 'metadata of Equinix Metal', inside: ['192.80.8.124'], outside: ['192.80.8.123', '192.80.8.125'] },
  {
    range: 'private access to Google APIs',
    inside: ['199.36.153.4', '199.36.153.7', '199.36.153.8', '199.36.153.11'],
    outside: ['199.36.153.3', '199.36.153.12'],
  },
  { range: 'metadata of Alibaba Cloud and Oracle', inside: ['100.100.100.200', '192.0.0.192'], outside: [] },
  { range: 'multicast', inside: ['224.0.0.0', '239.255.255.255'], outside: ['223.255.255.255'] },
  { range: 'reserved and broadcast', inside: ['240.0.0.0', '255.255.255.255'], outside: [] },
] as const;

const PRIVATE_V6 = [
  ['unspecified', '::'],
  ['loopback', '::1'],
  ['loopback, in full', '0:0:0:0:0:0:0:1'],
  ['v4-compatible', '::127.0.0.1'],
  ['v4-compatible of a public address', '::8.8.8.8'],
  ['v4-translated', '::ffff:0:8.8.8.8'],
  ['local-use NAT64', '64:ff9b:1::8.8.8.8'],
  ['discard-only', '100::1'],
  ['Teredo', '2001::1'],
  ['ORCHIDv2', '2001:20::1'],
  ['AS112', '2001:4:112::1'],
  ['AS112, direct', '2620:4f:8000::1'],
  ['documentation', '2001:db8::1'],
  ['documentation', '3fff:fff::1'],
  ['unique local', 'fc00::1'],
  ['unique local', 'fdff:ffff::1'],
  ['link-local', 'fe80::1'],
  ['link-local with a zone', 'fe80::1%eth0'],
  ['a zone on a public address', '2606:4700::1111%eth0'],
  ['site-local', 'fec0::1'],
  ['site-local, last', 'feff:ffff::1'],
  ['multicast', 'ff02::1'],
  ['metadata of AWS', 'fd00:ec2::254'],
  ['metadata of Google Cloud', 'fd20:ce::254'],
  ['private access to Google APIs', '2600:2d00:2:1000::1'],
  ['private access to Google APIs', '2600:2d00:2:2000::1'],
  ['segment routing', '5f00::1'],
  ['not yet assigned', '4000::1'],
  ['not yet assigned', '::fffe:808:808'],
  ['not yet assigned', '64:ff9b::1:808:808'],
] as const;

/** The last address of each range of global unicast that is not public, and its public neighbours. */
const V6 = [
  { last: '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff', outside: ['2000:ffff::1', '2001:200::'] },
  { last: '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff', outside: ['2001:db7:ffff::1', '2001:db9::'] },
  { last: '2600:2d00:2:1000:ffff:ffff:ffff:ffff', outside: ['2600:2d00:2:fff::1', '2600:2d00:2:1001::'] },
  { last: '2600:2d00:2:2000:ffff:ffff:ffff:ffff', outside: ['2600:2d00:2:1fff::1', '2600:2d00:2:2001::'] },
  { last: '2620:4f:8000:ffff:ffff:ffff:ffff:ffff', outside: ['2620:4f:7fff::1', '2620:4f:8001::'] },
  { last: '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff', outside: ['3ffe:ffff::1', '3fff:1000::'] },
] as const;

const hexOf = (v4: string) => {
  const [a, b, c, d] = v4.split('.').map(Number) as [number, number, number, number];
  return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
};
/** All IPv6 notations of an IPv4 address. */
const ipv6NotationsOf = (v4: string) => [
  `::ffff:${v4}`,
  `::FFFF:${hexOf(v4)}`,
  `0:0:0:0:0:ffff:${v4}`,
  `64:ff9b::${v4}`,
  `64:ff9b::${hexOf(v4)}`,
  `2002:${hexOf(v4)}::`,
  `2002:${hexOf(v4)}::1`,
  `2002:${hexOf(v4)}:1::1`,
];

describe('isPublicAddress', () => {
  for (const { range, inside, outside } of V4) {
    it(`rejects the first and last address of ${range}, also in every IPv6 notation`, () => {
      for (const address of inside) {
        for (const form of [address, ...ipv6NotationsOf(address)])
          expect(isPublicAddress(form), form).to.equal(false);
      }
    });

    it(`accepts the public neighbours of ${range}`, () => {
      for (const address of outside) {
        for (const form of [address, ...ipv6NotationsOf(address)])
          expect(isPublicAddress(form), form).to.equal(true);
      }
    });
  }

  for (const [name, address] of PRIVATE_V6) {
    it(`rejects ${name}: ${address}`, () => expect(isPublicAddress(address)).to.equal(false));
  }

  for (const { last, outside } of V6) {
    it(`rejects the last address of its range: ${last}`, () => {
      expect(isPublicAddress(last)).to.equal(false);
    });
    for (const address of outside) {
      it(`accepts the public neighbour ${address}`, () => expect(isPublicAddress(address)).to.equal(true));
    }
  }

  for (const address of [
    '2606:4700:4700::1111',
    '2A00:1450:4001:82a::200e',
    '2000::',
    '2001:200::1',
    '3ffe::1',
  ]) {
    it(`accepts ${address}`, () => expect(isPublicAddress(address)).to.equal(true));
  }

  for (const text of [
    '',
    'hooks.example.com',
    '8.8.8',
    '8.8.8.8.',
    '08.8.8.8',
    '0x8.8.8.8',
    '[2606:4700::1]',
    '8.8.8.8/32',
  ]) {
    it(`rejects text that is not an address: "${text}"`, () => expect(isPublicAddress(text)).to.equal(false));
  }
});

describe('addressRanges', () => {
  const inside = addressRanges(['10.1.0.0/16', 'fd00::/8', '127.0.0.1/32']);

  for (const address of [
    '10.1.0.0',
    '10.1.255.255',
    'fd12::1',
    '127.0.0.1',
    '::ffff:10.1.2.3',
    '::ffff:7f00:1',
  ]) {
    it(`contain ${address}`, () => expect(inside(address)).to.equal(true));
  }

  for (const address of [
    '10.0.255.255',
    '10.2.0.0',
    'fc00::1',
    '127.0.0.2',
    'fd12::1%eth0',
    'fd12',
    '',
    'localhost',
  ]) {
    it(`do not contain "${address}"`, () => expect(inside(address)).to.equal(false));
  }

  it('can contain all addresses or none', () => {
    const everything = addressRanges(['0.0.0.0/0', '::/0']);
    expect([
      everything('255.255.255.255'),
      everything('ffff::1'),
      addressRanges([])('8.8.8.8'),
    ]).to.deep.equal([true, true, false]);
  });

  // Regression: ::/0 contained 127.0.0.1, because IPv4 addresses were checked as mapped ones against IPv6 ranges, too.
  it('contain no IPv4 address for an IPv6 range, except one of mapped addresses', () => {
    for (const cidr of ['::/0', '::/80', '::ffff:0:0/95']) {
      const ofV6 = addressRanges([cidr]);
      const inEveryForm = addressRangesInEveryForm([cidr]);
      for (const address of ['127.0.0.1', '255.255.255.255', '::ffff:127.0.0.1', '::ffff:7f00:1'])
        expect([ofV6(address), inEveryForm(address)], `${address} in ${cidr}`).to.deep.equal([false, false]);
      expect(ofV6('::1'), cidr).to.equal(cidr !== '::ffff:0:0/95');
    }
    const ofMapped = addressRanges(['::ffff:10.0.0.0/104']);
    for (const address of ['10.255.0.1', '::ffff:10.255.0.1'])
      expect(ofMapped(address), address).to.equal(true);
    for (const address of ['11.0.0.1', '::ffff:11.0.0.1', '::1'])
      expect(ofMapped(address), address).to.equal(false);
  });

  it('contain no IPv6 address for an IPv4 range, except mapped ones', () => {
    const ofV4 = addressRanges(['0.0.0.0/0']);
    expect(['::1', 'fd00::1', '::ffff:8.8.8.8'].map(ofV4)).to.deep.equal([false, false, true]);
  });

  const UNREADABLE = [
    '',
    '10.0.0.0',
    '10.0.0.0/',
    '10.0.0.0/33',
    '10.0.0.0/-1',
    '10.0.0.0/8/9',
    ' 10.0.0.0/8',
    '10.0.0/8',
    '::/129',
    'fe80::%eth0/10',
    'example.com/8',
    'x/10.0.0.0/8',
    '/8',
  ];
  for (const cidr of UNREADABLE) {
    it(`reject an invalid range and quote it: "${cidr}"`, () => {
      expect(() => addressRanges(['10.0.0.0/8', cidr])).to.throw(
        RangeError,
        `"${cidr}" is not an address range`,
      );
    });
  }
});

describe('isAddressWithPort', () => {
  for (const text of [
    '192.0.2.53',
    '2001:db8::53',
    '192.0.2.53:1',
    '192.0.2.53:65535',
    '[2001:db8::53]:53',
  ]) {
    it(`accepts ${text}`, () => expect(isAddressWithPort(text)).to.equal(true));
  }

  for (const text of [
    '',
    '192.0.2.53:0',
    '192.0.2.53:65536',
    '192.0.2.53:',
    '192.0.2:53',
    'x192.0.2.53:53',
    '192.0.2.53:53x',
    '[192.0.2.53]:53',
    '[2001:db8::53]',
    'fe80::53%eth0',
    '[fe80::53%eth0]:53',
    'dns.example.com:53',
  ]) {
    it(`rejects "${text}"`, () => expect(isAddressWithPort(text)).to.equal(false));
  }
});
