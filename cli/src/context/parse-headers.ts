import { misused, nameOf, parseObject } from './read-input.js';

type Headers = Record<string, string>;

/** A header's name is a token of HTTP. */
const HEADER = /^([!#$%&'*+.^`|~\w-]+):\s*(.*)$/;

/**
 * Reads the headers of a received request from a JSON object, or from lines like `name: value`. Other lines, such as the request line, are
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
 * @throws CommandError that names the file, and a line that is no header, a name whose value is no text, or a repeated name;
 * without the line or the value, which may hold a credential
 */
export function parseHeadersToSend(content: string, file: string): Headers {
  const names = isJson(content) ? textNamesOf(content, file) : lineNamesOf(content, file);
  const repeated = firstRepeated(names.map((name) => name.toLowerCase()));
  if (repeated !== undefined) {
    throw misused(`${nameOf(file)} has the header "${repeated}" more than once.`, 'Give each header once.');
  }
  return parseHeaders(content, file);
}

/** The names in lines. */
function lineNamesOf(content: string, file: string): readonly string[] {
  return linesOf(content).flatMap((line, index) => {
    if (line.trim() === '') return [];
    const entry = entryOf(line);
    if (entry !== null) return [entry[0]];
    throw misused(
      `line ${index + 1} of ${nameOf(file)} is no header.`,
      'Give one `name: value` in each line, or a JSON object.',
    );
  });
}

/** The names in a JSON object whose values are texts. */
function textNamesOf(content: string, file: string): readonly string[] {
  for (const [name, value] of Object.entries(parseObject(content, file))) {
    if (typeof value === 'string') continue;
    throw misused(`the value of header "${name}" in ${nameOf(file)} is no text.`, 'Give a JSON string.');
  }
  return keysOf(content);
}

/** The keys in a text of JSON. The parser keeps only the last of several that are equal. */
function keysOf(json: string): readonly string[] {
  return [...json.matchAll(/("(?:[^"\\]|\\.)*")(\s*:)?/g)].flatMap(([, text = '', colon]) =>
    colon === undefined ? [] : [JSON.parse(text) as string],
  );
}

function firstRepeated(names: readonly string[]): string | undefined {
  return names.find((name, index) => names.indexOf(name) < index);
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
