import { Webhook } from '@postrider/client';
import { InvalidArgumentError } from 'commander';
import { isHttpUrl } from './is-http-url.js';
import { misused } from './read-input.js';

const UNITS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** `Date.parse` alone interprets `30` as a year. */
const TIME = /^(\d{4}-\d\d-\d\d)(?:([T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:\d\d)?)?$/i;

/** A time in the past: a duration such as `24h`, or an RFC 3339 time. Without a zone it is in UTC, as times are shown. */
export function parseSince(text: string, now = Date.now()): string {
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (count !== undefined)
    return new Date(now - Number(count) * UNITS[unit as keyof typeof UNITS]).toISOString();
  const [, date = '', timeOfDay = 'T00:00', zone = 'Z'] = TIME.exec(text) ?? [];
  const time = Date.parse(`${date}${timeOfDay.replace(' ', 'T')}${zone}`);
  if (Number.isNaN(time) || !isDay(date)) {
    throw new InvalidArgumentError('Give a duration like 30m, 24h or 7d, or a time like 2026-03-01T12:00Z.');
  }
  return new Date(time).toISOString();
}

/** `Date.parse` alone interprets February 30th as March 2nd. */
function isDay(date: string): boolean {
  const midnight = Date.parse(`${date}T00:00Z`);
  return !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(date);
}

/** Commander passes the previous value as a second argument. */
export const since = (text: string): string => parseSince(text);

export function positive(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text))
    throw new InvalidArgumentError('Give a whole number from 1 to 999999, without separators.');
  return Number(text);
}

/** Collects values that are separated by commas or given several times. */
export function several(text: string, before: readonly string[] = []): readonly string[] {
  const values = text.split(',').map((value) => value.trim());
  if (values.includes('')) throw new InvalidArgumentError('A value is empty.');
  return [...before, ...values];
}

export function httpUrl(text: string): string {
  if (isHttpUrl(text)) return text;
  const next = 'Give a URL like http://localhost:3000/hook.';
  // An invalid argument is shown, and this one may contain a password.
  if (text.includes('@')) throw misused('a URL with a user name or a password cannot be used.', next);
  throw new InvalidArgumentError(next);
}

export function signingSecret(text: string): string {
  if (isSigningSecret(text)) return text;
  // An invalid argument is shown, and this one may be a secret that was not copied completely.
  throw misused(
    '--secret is not a signing secret.',
    'Give whsec_ and at least 24 bytes in Base64, or leave it out.',
  );
}

export function isSigningSecret(text: string): boolean {
  try {
    new Webhook(text);
    return true;
  } catch {
    return false;
  }
}
