import { fieldPath, type InputMistake } from '@postrider/shared/domain/input-mistake';
import { isRecord } from '@postrider/shared/domain/is-record';
import { RESERVED_NAME } from '@postrider/shared/domain/unstorable';

const MAX_HEADERS = 10;
const MAX_NAME_LENGTH = 200;
const MAX_VALUE_LENGTH = 4_096;
/** Maximum size of all names and values together, in bytes. Receivers refuse requests with much more. */
const MAX_BYTES = 8_192;

/** RFC 9110: a token. */
const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** Visible ASCII characters, with spaces and tabs between them: HTTP strips those around a value. */
const VALUE = /^(?:[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?)?$/;

/** Headers that Postrider sets, and those that belong to the connection instead of the request. */
const RESERVED: ReadonlySet<string> = new Set([
  'connection',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
  'x-trace-id',
]);
const RESERVED_PREFIXES = ['webhook-', 'content-', 'proxy-'];

/** Every mistake in an object of static request headers. Values other than strings are left to the schema. */
export function headerMistakes(headers: unknown, path: string): readonly InputMistake[] {
  if (!isRecord(headers)) return [];
  const entries = Object.entries(headers);
  if (entries.length > MAX_HEADERS) return [{ path, message: `must be at most ${MAX_HEADERS} headers` }];
  const names = entries.map(([name]) => name.toLowerCase());
  const mistakes = entries.flatMap(([name, value], index) => {
    const at = fieldPath(path, name);
    const isRepeated = names.indexOf(name.toLowerCase()) < index;
    const problems = [
      nameProblem(name),
      isRepeated ? 'repeats a name: names are not case-sensitive' : null,
      valueProblem(value),
    ];
    return problems.filter((message) => message !== null).map((message) => ({ path: at, message }));
  });
  const length = entries.reduce((sum, [name, value]) => sum + name.length + lengthOf(value), 0);
  const isTooLong = mistakes.length === 0 && length > MAX_BYTES;
  return isTooLong ? [{ path, message: `must be at most ${MAX_BYTES} bytes in total` }] : mistakes;
}

function lengthOf(value: unknown): number {
  return typeof value === 'string' ? value.length : 0;
}

function nameProblem(name: string): string | null {
  const lower = name.toLowerCase();
  if (!NAME.test(name)) return 'is not a valid HTTP header name';
  // Names are stored in lower case.
  if (lower === RESERVED_NAME) return 'is a reserved name';
  if (name.length > MAX_NAME_LENGTH) return `must have a name of at most ${MAX_NAME_LENGTH} characters`;
  const isReserved = RESERVED.has(lower) || RESERVED_PREFIXES.some((prefix) => lower.startsWith(prefix));
  return isReserved ? 'is a header that Postrider or the connection sets' : null;
}

function valueProblem(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  if (value.length > MAX_VALUE_LENGTH) return `must be at most ${MAX_VALUE_LENGTH} characters`;
  return VALUE.test(value) ? null : 'must be visible ASCII characters, with spaces or tabs only between them';
}
