import { PostriderError } from '@postrider/client';

/** The messages of a refused input, by field. Messages about no known field stay in the error panel. */
export function fieldErrors(error: unknown): Readonly<Record<string, string | undefined>> {
  if (!(error instanceof PostriderError)) return {};
  return Object.fromEntries(error.errors.map(({ path, message }) => [path.split('.')[0] ?? path, message]));
}
