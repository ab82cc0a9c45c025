/** Reads pasted headers, one per line. Lines without a colon are ignored. */
export function parseHeaders(text: string): Readonly<Record<string, string>> {
  const pairs = text.split('\n').flatMap((line) => {
    const colon = line.indexOf(':');
    return colon < 1 ? [] : [[line.slice(0, colon).trim(), line.slice(colon + 1).trim()] as const];
  });
  return Object.fromEntries(pairs);
}
