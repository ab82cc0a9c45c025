import { ROOT } from '#dev/start/paths';
import { cachedInstall } from '../../cached-install.js';
import { run } from '../own/run.js';

/** The commit that this names: by default that of the last release. @returns null if there has been none */
export async function commitOf(name: string | null): Promise<string | null> {
  const which =
    name === null
      ? ['log', '-1', '--format=%H', '-E', '--grep=^Release [0-9]']
      : ['rev-parse', `${name}^{commit}`];
  return (await run('git', ['-C', ROOT, ...which])).trim() || null;
}

/** A built checkout of a commit, from the cache. */
export const checkoutOf = (commit: string): Promise<string> =>
  cachedInstall(`checkout-${commit}`, async (directory, step) => {
    const archive = `${directory}.tar`;
    await step('git', '-C', ROOT, 'archive', '--output', archive, commit);
    await step('tar', '-xf', archive);
    await step('rm', archive);
    await step('npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund');
    await step('npm', 'run', 'build');
  });
