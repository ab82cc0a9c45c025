import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { runTool } from '../../processes/start-process.js';
import type { FetchContext } from './fetch-context.js';
import { runMaven } from './run-maven.js';
import { verifyChecksum } from './verify-checksum.js';
import { REGISTRY_SHA256, REGISTRY_VERSION } from './versions.js';

const ARTIFACT = `io.apicurio:apicurio-registry-app:${REGISTRY_VERSION}:tar.gz:all`;
const ARCHIVE = `apicurio-registry-app-${REGISTRY_VERSION}-all.tar.gz`;

/** The file to run in the registry's directory. */
export const REGISTRY_JAR = `apicurio-registry-app-${REGISTRY_VERSION}-runner.jar`;

/** Unpacks the registry into `into`. */
export async function fetchRegistry(into: string, context: FetchContext): Promise<void> {
  const { env, downloads } = context;
  await runMaven('copy', [`-Dartifact=${ARTIFACT}`, `-DoutputDirectory=${into}`], context);
  const archive = join(into, ARCHIVE);
  await verifyChecksum(archive, REGISTRY_SHA256);
  const args = ['--no-same-owner', '-xzf', archive, '-C', into];
  await runTool({ command: 'tar', args, env, logFile: join(downloads, 'tar.log') });
  await rm(archive);
}
