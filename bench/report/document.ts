import type { Options } from '../options.js';
import type { Scenario } from '../scenario.js';
import type { Machine } from './machine.js';

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
