import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { chooseFreePorts } from '../processes/free-ports.js';

/** Where the servers of a stack listen on 127.0.0.1. */
export type Ports = Readonly<Record<'kafka' | 'kafkaController' | 'mongod' | 'registry', number>>;

/**
 * Chooses ports and stores them in `file`. Stored ports are reused where they are free, so that addresses of an earlier run
 * with the same data stay valid.
 */
export async function choosePorts(file: string | undefined): Promise<Ports> {
  const before: Partial<Ports> =
    file !== undefined && existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  const preferred = [before.kafka, before.kafkaController, before.mongod, before.registry];
  const [kafka = 0, kafkaController = 0, mongod = 0, registry = 0] = await chooseFreePorts(preferred);
  const ports = { kafka, kafkaController, mongod, registry };
  if (file !== undefined) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify(ports));
  }
  return ports;
}
