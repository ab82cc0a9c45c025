import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** Where downloads are kept: POSTRIDER_CACHE, or `postrider` in the user's cache directory. */
export function cacheDirectory(env: NodeJS.ProcessEnv): string {
  if (env.POSTRIDER_CACHE) return resolve(env.POSTRIDER_CACHE);
  return join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'postrider');
}
