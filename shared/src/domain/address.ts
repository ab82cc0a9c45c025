import { BlockList, isIP } from 'node:net';

/** IPv4 ranges that are not public unicast (IANA special-purpose registry, multicast, reserved). */
const SPECIAL_V4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const;

/**
 * Addresses that look public and lead to internal services of large clouds. Others of their kind are in the ranges above
 * (169.254.169.254, 100.100.100.200, 192.0.0.192) or are not global unicast (fd00:ec2::254, fd20:ce::254).
 */
const CLOUD_INTERNAL_V4 = [
  ['168.63.129.16', 32], // Azure: metadata, DNS and health probes
  ['161.26.0.0', 16], // IBM Cloud: infrastructure services
  ['166.8.0.0', 14], // IBM Cloud: service endpoints
  ['192.80.8.124', 32], // Equinix Metal: metadata
  ['199.36.153.4', 30], // Google Cloud: restricted.googleapis.com
  ['199.36.153.8', 30], // Google Cloud: private.googleapis.com
] as const;

/** Ranges of global unicast (2000::/3) that are not public. */
const SPECIAL_V6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2600:2d00:2:1000::', 64], // Google Cloud: restricted.googleapis.com
  ['2600:2d00:2:2000::', 64], // Google Cloud: private.googleapis.com
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
] as const;

interface Range {
  readonly net: string;
  readonly bits: number;
  readonly family: 'ipv4' | 'ipv6';
}

const special = new BlockList();
for (const [net, bits] of [...SPECIAL_V4, ...CLOUD_INTERNAL_V4]) {
  for (const form of formsOf({ net, bits, family: 'ipv4' }))
    special.addSubnet(form.net, form.bits, form.family);
}
for (const [net, bits] of SPECIAL_V6) special.addSubnet(net, bits, 'ipv6');

/** IPv4 addresses in the form of IPv6 addresses. */
const mapped = new BlockList();
mapped.addSubnet('::ffff:0:0', 96, 'ipv6');

/** No other IPv6 address is public. Mapped IPv4 addresses are checked against the IPv4 ranges. */
const global = new BlockList();
global.addSubnet('2000::', 3, 'ipv6');
global.addSubnet('64:ff9b::', 96, 'ipv6');
global.addSubnet('::ffff:0:0', 96, 'ipv6');

/** Returns whether the text is a public IP address. Text that is not an IP address is not public. */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !special.check(address, 'ipv4');
    case 6:
      return !address.includes('%') && global.check(address, 'ipv6') && !special.check(address, 'ipv6');
    default:
      return false;
  }
}

/** Returns a membership test for CIDR ranges. @throws RangeError that quotes an invalid range */
export function addressRanges(cidrs: readonly string[]): (address: string) => boolean {
  return within(cidrs.map(parseRange));
}

/** Like `addressRanges`, but IPv4 ranges include the IPv6 forms of their addresses: mapped, 6to4 and NAT64. */
export function addressRangesInEveryForm(cidrs: readonly string[]): (address: string) => boolean {
  return within(cidrs.map(parseRange).flatMap(formsOf));
}

function parseRange(cidr: string): Range {
  const [, net = '', bits = ''] = /^([^/%]+)\/(\d{1,3})$/.exec(cidr) ?? [];
  const family = isIP(net);
  if (family === 0 || Number(bits) > (family === 4 ? 32 : 128)) {
    throw new RangeError(`"${cidr}" is not an address range: write it like 10.0.0.0/8 or fd00::/8`);
  }
  return { net, bits: Number(bits), family: family === 4 ? 'ipv4' : 'ipv6' };
}

/** An IPv4 range in every form of its addresses. The range itself also matches mapped addresses. */
function formsOf(range: Range): readonly Range[] {
  const { net, bits, family } = range;
  if (family === 'ipv6') return [range];
  const hex = embedded(net);
  return [
    range,
    { net: `2002:${hex}::`, bits: 16 + bits, family: 'ipv6' }, // 6to4
    { net: `64:ff9b::${hex}`, bits: 96 + bits, family: 'ipv6' }, // NAT64
  ];
}

/**
 * A list matches IPv4 addresses in mapped form, so a range like `::/0` would contain all of them. IPv4 addresses therefore have
 * a list of their own, with the IPv4 ranges and those of mapped addresses only.
 */
function within(ranges: readonly Range[]): (address: string) => boolean {
  const v4 = new BlockList();
  const v6 = new BlockList();
  for (const { net, bits, family } of ranges) {
    const isOfV4 = family === 'ipv4' || (bits >= 96 && mapped.check(net, 'ipv6'));
    (isOfV4 ? v4 : v6).addSubnet(net, bits, family);
  }
  return (address) => {
    const family = isIP(address);
    if (family === 0 || address.includes('%')) return false;
    if (family === 4) return v4.check(address, 'ipv4');
    return (mapped.check(address, 'ipv6') ? v4 : v6).check(address, 'ipv6');
  };
}

/** Returns whether the text is an IP address without a zone, alone or with a port: `192.0.2.53:5353`, `[2001:db8::53]:5353`. */
export function isAddressWithPort(text: string): boolean {
  if (text.includes('%')) return false;
  if (isIP(text) !== 0) return true;
  const [, v6, v4, port] = /^(?:\[(.+)\]|([\d.]+)):(\d{1,5})$/.exec(text) ?? [];
  const isAddress = v6 === undefined ? isIP(v4 ?? '') === 4 : isIP(v6) === 6;
  return isAddress && Number(port) >= 1 && Number(port) <= 65_535;
}

function embedded(v4: string): string {
  const [a = 0, b = 0, c = 0, d = 0] = v4.split('.').map(Number);
  return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
}
