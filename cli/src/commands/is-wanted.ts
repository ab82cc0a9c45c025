/** Whether a type matches one of these names or prefixes, as in subscriptions of endpoints. Without any, every type matches. */
export function isWanted(eventType: string, wanted: readonly string[]): boolean {
  return wanted.length === 0 || wanted.some((pattern) => matches(eventType, pattern));
}

function matches(eventType: string, pattern: string): boolean {
  if (pattern === '*') return true;
  return pattern.endsWith('.*') ? eventType.startsWith(pattern.slice(0, -1)) : eventType === pattern;
}
