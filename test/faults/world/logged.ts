import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Every line that services have logged so far, as text. */
export function logged({ directory }: { readonly directory: string }): readonly string[] {
  const logs = join(directory, 'logs');
  return readdirSync(logs).flatMap((file) => readFileSync(join(logs, file), 'utf8').split('\n'));
}

/** Counts the lines that have all of these texts. */
export function countLogged(world: { readonly directory: string }, ...texts: readonly string[]): number {
  return logged(world).filter((line) => texts.every((text) => line.includes(text))).length;
}
