import { arch, cpus, release, totalmem, type } from 'node:os';
import { connectMongo } from '@postrider/shared/mongo/connect';
import { VERSION } from '@postrider/shared/runtime/version';
import { KAFKA_VERSION } from '#dev/stack/native/versions';
import type { Servers } from '../servers.js';

/** The hardware and software on which was measured. */
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

export async function describeMachine({ mongodbUri }: Servers): Promise<Machine> {
  const database = await connectMongo(mongodbUri, 'bench');
  try {
    const { version } = await database.db.admin().buildInfo();
    const cores = cpus();
    return {
      cpu: cores[0]?.model.trim() ?? 'unknown',
      cores: cores.length,
      memoryBytes: totalmem(),
      system: `${type()} ${release()} ${arch()}`,
      node: process.versions.node,
      // The broker does not report its version to clients; this is the one that `npm run bench` starts.
      kafka: KAFKA_VERSION,
      mongod: String(version),
      postrider: VERSION,
    };
  } finally {
    await database.close();
  }
}
