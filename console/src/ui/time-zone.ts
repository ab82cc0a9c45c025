import { useSyncExternalStore } from 'react';
import { texts } from '../texts/en.js';

export const ZONES = ['local', 'utc'] as const;
/** How times are shown and typed in: the reader's time zone, or that of payloads and logs. */
export type Zone = (typeof ZONES)[number];

const KEY = 'postrider.zone';

const listeners = new Set<() => void>();
let current = readZone();

function readZone(): Zone {
  try {
    return ZONES.find((name) => name === localStorage.getItem(KEY)) ?? 'local';
  } catch {
    // Storage can be forbidden, as in an embedded page.
    return 'local';
  }
}

/** Shows all times in a zone and remembers it. */
export function chooseZone(zone: Zone): void {
  current = zone;
  for (const listener of listeners) listener();
  try {
    localStorage.setItem(KEY, zone);
  } catch {
    // As above.
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export function useZone(): Zone {
  return useSyncExternalStore(subscribe, () => current);
}

/** What a format needs to show times in a zone. */
export function zoneOptions(zone: Zone): Intl.DateTimeFormatOptions {
  return zone === 'utc' ? { timeZone: 'UTC' } : {};
}

/** The zone as times have it, for example `GMT+1`. The local one is that of now. */
export function zoneName(zone: Zone): string {
  if (zone === 'utc') return 'UTC';
  const parts = new Intl.DateTimeFormat(texts.language, { timeZoneName: 'shortOffset' }).formatToParts();
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
}
