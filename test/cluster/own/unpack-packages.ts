import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runTool } from '#dev/processes/start-process';

/** Downloads packages of this Debian release, which apt verifies, and unpacks them without installing them. */
export async function unpackPackages(names: readonly string[], into: string, logFile: string): Promise<void> {
  const downloads = join(into, 'downloads');
  mkdirSync(downloads, { recursive: true });
  await runTool({ command: 'apt-get', args: ['download', ...names], cwd: downloads, logFile });
  for (const file of readdirSync(downloads))
    await runTool({ command: 'dpkg', args: ['-x', join(downloads, file), into], logFile });
  rmSync(downloads, { recursive: true });
}
