const MAX_LENGTH = 100;

/** Truncates a path with names that the caller sent, so that it can be repeated in an answer. */
export function shortenPath(path: string): string {
  return path.length <= MAX_LENGTH ? path : `${path.slice(0, MAX_LENGTH)}…`;
}
