import { PostriderError } from '@postrider/client';

/** The messages of a refused input, by field. Those about a part of a field begin with its path. */
export function fieldErrors(error: unknown): Readonly<Record<string, string | undefined>> {
  if (!(error instanceof PostriderError)) return {};
  const byField: Record<string, string> = {};
  for (const { path, message } of error.errors) {
    const field = /^[^.[]*/.exec(path)?.[0] ?? path;
    const text = field === path ? message : `${path} ${message}`;
    byField[field] = field in byField ? `${byField[field]}; ${text}` : text;
  }
  return byField;
}
