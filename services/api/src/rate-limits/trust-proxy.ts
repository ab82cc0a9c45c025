import { addressRanges } from '@postrider/shared/domain/address';
import { exactly, words } from '@postrider/shared/runtime/config';

/** Is what this hop says about the one before it to be believed? The hop next to us is number 0. */
export type TrustProxy = (address: string, hop: number) => boolean;

/**
 * Reads which proxies may say whom they ask for: how many of them there are, or the ranges of their addresses.
 *
 * @throws RangeError that names what cannot be read
 */
export function parseTrustProxy(text: string): TrustProxy {
  if (/^\d{1,2}$/.test(text.trim())) {
    const hops = Number(text);
    return (_address, hop) => hop < hops;
  }
  return addressRanges(words(text));
}
export const trustProxy = exactly<TrustProxy>(parseTrustProxy);
