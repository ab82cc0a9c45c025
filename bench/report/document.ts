import { arch, cpus, release, totalmem, type } from 'node:os';
import { fileURLToPath } from 'node:url';
import { connectMongo } from '@postrider/shared/mongo/connect';
import { VERSION } from '@postrider/shared/runtime/version';
import { KAFKA_VERSION } from '#dev/stack/native/versions';
import type { Options } from '../options.js';
import type { Servers } from '../scenario.js';

/** Where results are written. */
export const DOCUMENT = fileURLToPath(new URL('../../../docs/benchmarks.md', import.meta.url));

/** @throws Error that names the scenarios whose results have no place in a document */
export function requireMarks(text: string, names: readonly string[]): void {
  const missing = names.filter((name) => !placeOf(name).test(text));
  if (missing.length === 0) return;
  const marks = missing.map((name) => `${begin(name)} … ${end(name)}`);
  throw new Error(`the document lacks the marks between which results are written: ${marks.join(', ')}`);
}

/**
 * Puts the results of a scenario between its marks in a document. Everything else stays as it is.
 *
 * @throws Error if the document lacks the marks
 */
export function updateDocument(text: string, name: string, results: string): string {
  requireMarks(text, [name]);
  return text.replace(placeOf(name), () => `${begin(name)}\n${results}\n${end(name)}`);
}

const begin = (name: string) => `<!-- bench:${name} -->`;
const end = (name: string) => `<!-- /bench:${name} -->`;
const placeOf = (name: string) => new RegExp(`${begin(name)}[^]*?${end(name)}`);

/** The hardware and software of the measurements. */
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
  { runs, scale, load }: Pick<Options, 'runs' | 'scale' | 'load'>,
  startedAt: Date,
): string {
  const memory = `${Math.round(memoryBytes / 2 ** 30)} GiB`;
  return [
    `${startedAt.toISOString().slice(0, 10)}: Postrider ${postrider}; ${cores} cores (${cpu}), ${memory}, ${system};`,
    `Node ${node}, Kafka ${kafka}, MongoDB ${mongod}; ${runs} ${runs === 1 ? 'run' : 'runs'}` +
      `${scale === 1 ? '' : `, shortened to ${scale}`}${load === 1 ? '' : `, rates times ${load}`}.`,
  ].join('\n');
}
