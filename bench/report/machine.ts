import { arch, cpus, release, totalmem, type } from 'node:os';
import type { Database } from '@postrider/shared/mongo/connect';
import { VERSION } from '@postrider/shared/runtime/version';
import { openFiles } from '../processes/find-server.js';

/** What was measured on. */
export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryBytes: number;
  readonly system: string;
  readonly node: string;
  readonly kafka: string;
  readonly mongod: string;
  readonly postrider: string;
}

const UNKNOWN = 'unknown';

/** @param kafkaPid the broker's process; null when it is not on this machine */
export async function describeMachine(
  { db }: Pick<Database, 'db'>,
  kafkaPid: number | null,
): Promise<Machine> {
  const cores = cpus();
  const { version } = await db.admin().buildInfo();
  return {
    cpu: cores[0]?.model.trim() ?? UNKNOWN,
    cores: cores.length,
    memoryBytes: totalmem(),
    system: `${type()} ${release()} ${arch()}`,
    node: process.versions.node,
    kafka: kafkaPid === null ? UNKNOWN : (kafkaVersion(openFiles(kafkaPid)) ?? UNKNOWN),
    mongod: String(version),
    postrider: VERSION,
  };
}

/** The broker does not tell its version to clients, but its jar is named after it. */
export function kafkaVersion(files: readonly string[]): string | null {
  for (const file of files) {
    const [, version] = /\/kafka_\d[\d.]*-(\d[\d.]*\d)\.jar$/.exec(file) ?? [];
    if (version !== undefined) return version;
  }
  return null;
}
