import { misused, nameOf, parseObject } from './read-input.js';

type Headers = Record<string, string>;

/** A header's name is a token of HTTP. */
const HEADER = /^([!#$%&'*+.^`|~\w-]+):\s*(.*)$/;

/**
 * Reads the headers of a request from a JSON object, or from lines like `name: value`. Other lines, such as the request line, are
 * skipped.
 *
 * @throws CommandError that names the file, for malformed JSON
 */
export function parseHeaders(content: string, file: string): Headers {
  if (isJson(content)) return lowerCased(Object.entries(parseObject(content, file)));
  return lowerCased(
    linesOf(content)
      .map(entryOf)
      .filter((entry) => entry !== null),
  );
}

/**
 * Reads headers to send, in the same forms.
 *
 * @throws CommandError that names the file and a line that is no header, without the line, which may hold a credential
 */
export function parseHeadersToSend(content: string, file: string): Headers {
  const wrong = isJson(content)
    ? -1
    : linesOf(content).findIndex((line) => line.trim() !== '' && entryOf(line) === null);
  if (wrong === -1) return parseHeaders(content, file);
  throw misused(
    `line ${wrong + 1} of ${nameOf(file)} is no header.`,
    'Give one `name: value` in each line, or a JSON object.',
  );
}

const isJson = (content: string) => content.trimStart().startsWith('{');

const linesOf = (content: string) => content.split(/\r?\n/);

/** @returns null if the line is no header */
function entryOf(line: string): readonly [name: string, value: string] | null {
  const [, name, value = ''] = HEADER.exec(line) ?? [];
  return name === undefined ? null : [name, value];
}

function lowerCased(entries: readonly (readonly [name: string, value: unknown])[]): Headers {
  return Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), String(value)]));
}
