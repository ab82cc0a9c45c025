import type { Source } from '../offsets/open-offsets.js';
import type { SizedEvent } from './backlogs.js';

/** A message of the event topic. */
export interface EventRecord extends Source {
  readonly key: Buffer | null;
  readonly value: Buffer | null;
}

/** The broker has removed an event that was to be read again, and all before the first offset that it stores. */
export interface StartsLater {
  readonly start: number;
}

export function sourceOf({ topic, partition, offset }: Source): Source {
  return { topic, partition, offset };
}

export function sizedEvent({ partition, offset, key, value }: EventRecord): SizedEvent {
  return { partition, offset, key: key?.toString() ?? '', bytes: value?.length ?? 0 };
}
