import { addressRanges } from '@postrider/shared/domain/address';
import { exactly } from '@postrider/shared/runtime/config';
import { words } from '@postrider/shared/runtime/variables';

/** Whether a hop's `X-Forwarded-For` is trusted. Hop 0 is the one next to the api. */
export type TrustProxy = (address: string, hop: number) => boolean;

/**
 * Parses the trusted proxies: their number, or their address ranges.
 *
 * @throws RangeError with the invalid part
 */
export function parseTrustProxy(text: string): TrustProxy {
  if (/^\d{1,2}$/.test(text.trim())) {
    const hops = Number(text);
    return (_address, hop) => hop < hops;
  }
  return addressRanges(words(text));
}
export const trustProxy = exactly<TrustProxy>('text', parseTrustProxy);
