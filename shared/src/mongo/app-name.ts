/**
 * The name that a process gives its connections: its feature level and its service. Processes recognise those of an older
 * version by it.
 */
export function appNameOf(service: string, level: number): string {
  return `postrider/${level} ${service}`;
}

/** The names of the version that knew no levels. */
const UNMARKED = ['api', 'dispatcher', 'dlq-consumer', 'janitor', 'migrate', 'admin'];

/** The feature level of a connection's process; null if it is not one of Postrider's. */
export function levelOfAppName(appName: string): number | null {
  if (UNMARKED.includes(appName)) return 1;
  const marked = /^postrider\/(\d+) /.exec(appName);
  return marked === null ? null : Number(marked[1]);
}
