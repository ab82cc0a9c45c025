import type { Machine } from './machine.js';

/** A scenario's part of the document. */
export interface Section {
  readonly name: string;
  readonly about: string;
  readonly results: string;
}

const INTRODUCTION = `# Benchmarks

Every figure here can be reproduced:

\`\`\`sh
npm run bench                                # everything; hours
npm run bench -- latency --scale 0.1         # a quick look at one scenario
npm run bench -- --help
\`\`\`

Kafka, MongoDB and the schema registry run on the same machine as the dispatcher, the receiver and the generator, each
a process of its own. Events enter on \`workspace.events\`, as another team's producer would send them. Every event and
every POST is accounted for by its id; a run in which something is missing or twice fails.

Rates depend on the machine and on what else it does; microseconds of CPU for each delivery hold on noisy ones, too.
A cell is the median of the runs, in parentheses the least and the greatest; ✓ and ✗ say whether the median reaches its
goal. CPU columns: microseconds for each delivery, seconds in all, peak of the resident memory.

Between the marks below the bench writes; around them people do.
`;

/**
 * Puts a scenario's results into the document. What stands between its marks is replaced; without marks it gets a
 * section at the end; everything else stays as it is.
 *
 * @param before the document so far; null starts it
 */
export function updateDocument(before: string | null, { name, about, results }: Section): string {
  const text = before ?? INTRODUCTION;
  const marked = `<!-- bench:${name} -->\n${results}\n<!-- /bench:${name} -->`;
  const present = new RegExp(`<!-- bench:${name} -->[^]*?<!-- /bench:${name} -->`);
  if (present.test(text)) return text.replace(present, () => marked);
  return `${text.trimEnd()}\n\n## ${name}\n\n${about}\n\n${marked}\n`;
}

/** What everything was measured on, and how often. */
export function machineText(
  machine: Machine,
  conditions: { runs: number; scale: number; date: string },
): string {
  const { cpu, cores, memoryBytes, system, node, kafka, mongod, postrider } = machine;
  const memory = `${Math.round(memoryBytes / 2 ** 30)} GiB`;
  return [
    `${conditions.date}: Postrider ${postrider}; ${cores} cores (${cpu}), ${memory}, ${system};`,
    `Node ${node}, Kafka ${kafka}, MongoDB ${mongod}; ${conditions.runs} runs` +
      `${conditions.scale === 1 ? '' : `, shortened to ${conditions.scale}`}.`,
  ].join('\n');
}
