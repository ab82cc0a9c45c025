import { estimateJsonMemory } from '@postrider/shared/runtime/json-memory';
import type { Source } from '../offsets/open-offsets.js';
import type { SizedEvent, WorkspaceInPartition } from './backlogs.js';

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

/** An event with both of its sizes. */
export interface MeasuredEvent extends SizedEvent {
  /** The size of its value, in bytes. */
  readonly valueBytes: number;
}

export function workspaceOf({
  partition,
  key,
}: Pick<EventRecord, 'partition' | 'key'>): WorkspaceInPartition {
  return { partition, key: key?.toString() ?? '' };
}

export function measure(record: EventRecord): MeasuredEvent {
  const { offset, value } = record;
  const bytes = value === null ? 0 : estimateJsonMemory(value);
  return { ...workspaceOf(record), offset, bytes, valueBytes: value?.length ?? 0 };
}
