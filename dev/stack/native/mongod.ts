import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { untilMongoServes } from '../until-serves.js';
import type { NativeServer, ServerContext } from './native-server.js';

/**
 * A single-node replica set, because transactions need one. Its name and address are set on every start, so that the port
 * may change.
 */
export function prepareMongod({ part, directory }: ServerContext, port: number): NativeServer {
  mkdirSync(directory, { recursive: true });
  const storage = ['--dbpath', directory, '--wiredTigerCacheSizeGB', '0.25', '--oplogSize', '256'];
  const network = ['--bind_ip', '127.0.0.1', '--port', String(port), '--nounixsocket', '--replSet', 'rs0'];
  const quiet = ['--quiet', '--setParameter', 'diagnosticDataCollectionEnabled=false'];
  return {
    command: join(part, 'mongod'),
    args: [...storage, ...network, ...quiet],
    untilReady: (signal) => untilMongoServes({ address: `127.0.0.1:${port}`, replicaSet: 'rs0' }, signal),
  };
}
