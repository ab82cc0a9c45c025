/** Whether a type is one of these names or prefixes, as endpoints subscribe to them; without any, every type is. */
export function isWanted(eventType: string, wanted: readonly string[]): boolean {
  return wanted.length === 0 || wanted.some((pattern) => matches(eventType, pattern));
}

function matches(eventType: string, pattern: string): boolean {
  if (pattern === '*') return true;
  return pattern.endsWith('.*') ? eventType.startsWith(pattern.slice(0, -1)) : eventType === pattern;
}
