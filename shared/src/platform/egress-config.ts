import { addressRanges } from '../domain/address.js';
import { bool, exactly, list, words } from '../runtime/config.js';

/** Address ranges in CIDR notation, comma-separated; empty is none. */
const ranges = exactly<string[]>((text) => {
  const cidrs = words(text);
  addressRanges(cidrs);
  return cidrs;
});

/** Destinations beyond the public internet that deliveries may reach, for demos and tests. */
export const EGRESS = {
  ALLOW_HTTP_WEBHOOKS: bool({ default: false, desc: 'Accept http:// webhook URLs (demos and tests only)' }),
  EGRESS_ALLOW_CIDRS: ranges({
    default: [],
    desc: 'Address ranges treated as public (demos and tests only)',
  }),
  EGRESS_ALLOW_HOSTS: list({ default: [], desc: 'Host names allowed at any address (demos and tests only)' }),
};
