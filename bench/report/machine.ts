import { arch, cpus, release, totalmem, type } from 'node:os';
import { connectMongo } from '@postrider/shared/mongo/connect';
import { VERSION } from '@postrider/shared/runtime/version';
import { KAFKA_VERSION } from '#dev/stack/native/versions';
import type { Servers } from '../servers.js';

/** The hardware and software on which was measured. */
export type Machine = Awaited<ReturnType<typeof describeMachine>>;

export async function describeMachine({ mongodbUri }: Servers) {
  const database = await connectMongo(mongodbUri, 'bench');
  const { version } = await database.db.admin().buildInfo();
  await database.close();
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: cpus().length,
    memoryBytes: totalmem(),
    system: `${type()} ${release()} ${arch()}`,
    node: process.versions.node,
    // The broker does not report its version to clients; this is the one that `npm run bench` starts.
    kafka: KAFKA_VERSION,
    mongod: String(version),
    postrider: VERSION,
  };
}
