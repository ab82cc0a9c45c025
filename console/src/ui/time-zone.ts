import { useSyncExternalStore } from 'react';
import { texts } from '../texts/en.js';
import { storedChoice } from './stored-choice.js';

export const ZONES = ['local', 'utc'] as const;
/** How times are shown and typed in: the reader's time zone, or that of payloads and logs. */
export type Zone = (typeof ZONES)[number];

const stored = storedChoice('postrider.zone', ZONES, 'local');

const listeners = new Set<() => void>();
let current = stored.read();

/** Shows all times in a zone and remembers it. */
export function chooseZone(zone: Zone): void {
  current = zone;
  for (const listener of listeners) listener();
  stored.store(zone);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export function useZone(): Zone {
  return useSyncExternalStore(subscribe, () => current);
}

/** The formats of times in each zone. */
export function formatsOf(
  options: (zone: Zone) => Intl.DateTimeFormatOptions,
): Readonly<Record<Zone, Intl.DateTimeFormat>> {
  return {
    local: new Intl.DateTimeFormat(texts.language, options('local')),
    utc: new Intl.DateTimeFormat(texts.language, { ...options('utc'), timeZone: 'UTC' }),
  };
}

/** The zone as a time has it, for example `GMT+1`, which depends on the season. A text that is no time counts as now. */
export function offsetName(zone: Zone, at = ''): string {
  if (zone === 'utc') return 'UTC';
  const ms = Date.parse(at);
  const format = new Intl.DateTimeFormat(texts.language, { timeZoneName: 'shortOffset' });
  const parts = format.formatToParts(Number.isNaN(ms) ? Date.now() : ms);
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
}

/** The zone of times of several seasons, for example `Europe/Berlin`. */
export function zoneName(zone: Zone): string {
  return zone === 'utc' ? 'UTC' : new Intl.DateTimeFormat().resolvedOptions().timeZone;
}
