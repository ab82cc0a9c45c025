import { texts } from '../texts/en.js';

const PERCENT = new Intl.NumberFormat(texts.language, { style: 'percent', maximumFractionDigits: 2 });

/** A share from 0 to 1 in per cent. */
export function formatShare(share: number): string {
  return PERCENT.format(share);
}
