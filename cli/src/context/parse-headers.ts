import { parseObject } from './read-input.js';

/**
 * Reads headers from a JSON object, or from lines like `name: value`. Other lines, such as the request line, are skipped.
 *
 * @throws CommandError that names the file, for malformed JSON
 */
export function parseHeaders(content: string, file: string): Record<string, string> {
  const entries = content.trimStart().startsWith('{')
    ? Object.entries(parseObject(content, file))
    : content.split(/\r?\n/).flatMap((line) => {
        const [, name, value] = /^([\w-]+):\s*(.*)$/.exec(line) ?? [];
        return name === undefined ? [] : [[name, value] as const];
      });
  return Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), String(value)]));
}
