import type { Zone } from './time-zone.js';

/** A moment as a field for date and time has it, to the millisecond; empty where the text is no time. */
export function toField(text: string, zone: Zone): string {
  const at = new Date(text);
  if (Number.isNaN(at.getTime())) return '';
  const offsetMs = zone === 'utc' ? 0 : at.getTimezoneOffset() * 60_000;
  // The shortest form, as the field itself has it.
  return new Date(at.getTime() - offsetMs).toISOString().replace(/((:00)?\.000)?Z$/, '');
}

/** The moment of a field in UTC. A text that is no time is returned as it is: the api explains what it takes. */
export function fromField(text: string, zone: Zone): string {
  const ms = Date.parse(zone === 'utc' && text !== '' ? `${text}Z` : text);
  return Number.isNaN(ms) ? text : new Date(ms).toISOString();
}
