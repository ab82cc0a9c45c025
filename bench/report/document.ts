import { arch, cpus, release, totalmem, type } from 'node:os';
import { connectMongo } from '@postrider/shared/mongo/connect';
import { VERSION } from '@postrider/shared/runtime/version';
import { KAFKA_VERSION } from '#dev/stack/native/versions';
import type { Options } from '../options.js';
import type { Scenario, Servers } from '../scenario.js';

/**
 * Puts the results of a scenario into a document: between its marks, or in a new section at the end. Everything else
 * stays as it is.
 */
export function updateDocument(
  text: string,
  { name, about }: Pick<Scenario, 'name' | 'about'>,
  results: string,
): string {
  const marked = `<!-- bench:${name} -->\n${results}\n<!-- /bench:${name} -->`;
  const present = new RegExp(`<!-- bench:${name} -->[^]*?<!-- /bench:${name} -->`);
  if (present.test(text)) return text.replace(present, () => marked);
  return `${text.trimEnd()}\n\n### ${name}\n\n${about}\n\n${marked}\n`;
}

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

/** The conditions of the measurements. */
export function conditionsText(
  { cpu, cores, memoryBytes, system, node, kafka, mongod, postrider }: Machine,
  { runs, scale }: Pick<Options, 'runs' | 'scale'>,
  startedAt: Date,
): string {
  const memory = `${Math.round(memoryBytes / 2 ** 30)} GiB`;
  return [
    `${startedAt.toISOString().slice(0, 10)}: Postrider ${postrider}; ${cores} cores (${cpu}), ${memory}, ${system};`,
    `Node ${node}, Kafka ${kafka}, MongoDB ${mongod}; ${runs} ${runs === 1 ? 'run' : 'runs'}` +
      `${scale === 1 ? '' : `, shortened to ${scale}`}.`,
  ].join('\n');
}
