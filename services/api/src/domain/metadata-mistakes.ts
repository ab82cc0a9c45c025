import { fieldPath, type InputMistake } from '@postrider/shared/domain/input-mistake';
import { isRecord } from '@postrider/shared/domain/is-record';

const MAX_PAIRS = 20;
/** Maximum size of the JSON text in UTF-8, in bytes. */
const MAX_BYTES = 1_024;

/** Every mistake in an object of metadata. Values other than strings are left to the schema. */
export function metadataMistakes(metadata: unknown, path: string): readonly InputMistake[] {
  if (!isRecord(metadata)) return [];
  const entries = Object.entries(metadata);
  if (entries.length > MAX_PAIRS) return [{ path, message: `must be at most ${MAX_PAIRS} pairs` }];
  const mistakes = entries
    .filter(([name]) => name === '' || name.includes('\u0000') || !name.isWellFormed())
    .map(([name]) => ({ path: fieldPath(path, name), message: 'is not a valid metadata name' }));
  if (mistakes.length > 0 || !entries.every(([, value]) => typeof value === 'string')) return mistakes;
  const bytes = Buffer.byteLength(JSON.stringify(metadata));
  return bytes > MAX_BYTES ? [{ path, message: `must be at most ${MAX_BYTES} bytes of JSON` }] : [];
}
