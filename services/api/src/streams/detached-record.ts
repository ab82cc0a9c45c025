import type { PartitionRecord } from '@postrider/shared/kafka/partition-reader';
import { firstText } from '@postrider/shared/kafka/read-record';
import { TYPE_HEADER } from './stream-record-readers.js';

/** What the objects of a record take, in bytes; measured. */
const OBJECTS_BYTES = 512;

/**
 * A copy of what a reader needs to read a record. The key, the value and the headers of a record are parts of the response of
 * its fetch, so a record that is kept keeps the records of all workspaces in memory.
 */
export function detachRecord({ key, value, headers, ...rest }: PartitionRecord): PartitionRecord {
  const ofKey = key?.length ?? 0;
  // Not from the pool, of which each part keeps 8 KiB.
  const bytes = Buffer.allocUnsafeSlow(ofKey + (value?.length ?? 0));
  key?.copy(bytes);
  value?.copy(bytes, ofKey);
  return {
    ...rest,
    key: key && bytes.subarray(0, ofKey),
    value: value && bytes.subarray(ofKey),
    headers: { [TYPE_HEADER]: firstText(headers[TYPE_HEADER]) },
  };
}

/** The memory that a detached record takes, in bytes. */
export function detachedBytes({ key, value, headers }: PartitionRecord): number {
  return (key?.length ?? 0) + (value?.length ?? 0) + (headers[TYPE_HEADER]?.length ?? 0) + OBJECTS_BYTES;
}
