/** Reads headers from a JSON object, or from lines like `name: value`. Other lines, such as the request line, are skipped. */
export function parseHeaders(text: string): Readonly<Record<string, string>> {
  const entries = text.trimStart().startsWith('{')
    ? Object.entries(JSON.parse(text) as Record<string, unknown>)
    : text.split(/\r?\n/).flatMap((line) => {
        const [, name, value] = /^([\w-]+):\s*(.*)$/.exec(line) ?? [];
        return name === undefined ? [] : [[name, value] as const];
      });
  return Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), String(value)]));
}
