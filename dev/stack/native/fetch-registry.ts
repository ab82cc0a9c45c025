import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { runTool } from '../../processes/start-process.js';
import { sha256, verify } from './checksum.js';
import type { FetchContext } from './fetch-context.js';
import { runMaven } from './maven.js';
import * as versions from './versions.js';

const REGISTRY = `apicurio-registry-app-${versions.REGISTRY_VERSION}`;

/** The file to run in the registry's directory. */
export const REGISTRY_JAR = `${REGISTRY}-runner.jar`;

export async function fetchRegistry(into: string, maven: string, context: FetchContext): Promise<void> {
  const { downloads, env } = context;
  const artifact = `io.apicurio:apicurio-registry-app:${versions.REGISTRY_VERSION}:tar.gz:all`;
  await runMaven(maven, 'copy', [`-Dartifact=${artifact}`, `-DoutputDirectory=${into}`], context);
  const archive = join(into, `${REGISTRY}-all.tar.gz`);
  verify(archive, await sha256(archive), versions.REGISTRY_SHA256);
  const args = ['--no-same-owner', '-xzf', archive, '-C', into];
  await runTool({ command: 'tar', args, env, logFile: join(downloads, 'tar.log') });
  await rm(archive);
}
