import { join } from 'node:path';
import { runTool } from '../../processes/start-process.js';
import type { FetchContext } from './fetch-context.js';

const STALLED_AFTER_MS = 60_000;

/**
 * Runs one goal of Maven's dependency plugin with a separate local repository, which keeps complete downloads after an
 * interruption. Mirrors and proxies of the user's Maven settings apply.
 */
export async function runMaven(
  command: string,
  goal: string,
  args: readonly string[],
  { env, downloads }: FetchContext,
): Promise<void> {
  const settings = [
    '--batch-mode',
    '--no-transfer-progress',
    '--strict-checksums',
    `-Dmaven.repo.local=${join(downloads, 'maven')}`,
    `-Daether.connector.requestTimeout=${STALLED_AFTER_MS}`,
    `-Dmaven.wagon.rto=${STALLED_AFTER_MS}`,
    '-Dstyle.color=never',
    `org.apache.maven.plugins:maven-dependency-plugin:3.6.1:${goal}`,
  ];
  await runTool({ command, args: [...settings, ...args], env, logFile: join(downloads, 'maven.log') });
}
