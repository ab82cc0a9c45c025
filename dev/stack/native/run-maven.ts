import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { runTool } from '../../processes/start-process.js';
import type { FetchContext } from './fetch-context.js';
import { findMaven } from './tools.js';

const PLUGIN = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.1';
const STALLED_AFTER_MS = 60_000;

/**
 * Runs one goal of Maven's dependency plugin with a local repository of our own, which keeps what was fetched so far when
 * the download is interrupted. Mirrors and proxies of the user's Maven settings apply.
 */
export async function runMaven(goal: string, args: readonly string[], context: FetchContext): Promise<void> {
  const repository = join(context.downloads, 'maven');
  await mkdir(repository, { recursive: true });
  const command = await findMaven(context.env);
  const settings = [
    '--batch-mode',
    '--no-transfer-progress',
    '--strict-checksums',
    `-Dmaven.repo.local=${repository}`,
    `-Daether.connector.requestTimeout=${STALLED_AFTER_MS}`,
    `-Dmaven.wagon.rto=${STALLED_AFTER_MS}`,
    '-Dstyle.color=never',
  ];
  const run = { command, args: [...settings, `${PLUGIN}:${goal}`, ...args], env: context.env };
  await runTool({ ...run, logFile: join(context.downloads, 'maven.log') });
}
