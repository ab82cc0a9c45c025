import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Command } from 'commander';
import { createProgram } from '../src/program.js';

const ROOT = new URL('../../../', import.meta.url);
const pages = readdirSync(new URL('docs', ROOT), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.md') && !path.includes('node_modules'))
  .map((path) => `docs/${path}`)
  .concat('README.md', 'cli/README.md', 'client/README.md');

/** The arguments of each `postrider …` line in the blocks for a shell. */
function commandLines(page: string): readonly (readonly string[])[] {
  const text = readFileSync(new URL(page, ROOT), 'utf8');
  const blocks = [...text.matchAll(/^```(?:sh|console)\b.*\n([\s\S]*?)^```/gm)].map(([, body]) => body!);
  const lines = blocks.flatMap((body) => body.replaceAll('\\\n', ' ').split('\n'));
  return lines.flatMap((line) => {
    const [, rest] = /^(?:\$ )?(?:[^#]*\| )?(?:[A-Z_]+=\S+ )*(?:npx )?postrider ([^|>#]*)/.exec(line) ?? [];
    // A variable is a time in every place where the program reads its value.
    return rest === undefined ? [] : [rest.replaceAll(/\$[A-Z]+/g, '1h').match(/'[^']*'|"[^"]*"|\S+/g) ?? []];
  });
}

/** What the program does not accept; null if it accepts all. */
function problemWith(program: Command, args: readonly string[]): string | null {
  const { operands, unknown } = program.parseOptions([...args]);
  const [name, ...rest] = operands;
  const sub = program.commands.find((one) => one.name() === name);
  if (sub !== undefined) return problemWith(sub, [...rest, ...unknown]);
  if (program.commands.length > 0) return `there is no command ${name}`;
  if (unknown.length > 0) return `there is no option ${unknown.join(' ')}`;
  const { registeredArguments } = program;
  const most = registeredArguments.some(({ variadic }) => variadic) ? Infinity : registeredArguments.length;
  const least = registeredArguments.filter(({ required }) => required).length;
  const isMissing = program.options.find(
    (option) => option.mandatory && program.getOptionValue(option.attributeName()) === undefined,
  );
  if (operands.length < least || operands.length > most) return 'too few or too many arguments';
  return isMissing === undefined ? null : `${isMissing.long} is missing`;
}

const silent = {
  isInteractive: false,
  print() {},
  printError() {},
  note() {},
  paint: (_: string, text: string) => text,
};
const newProgram = () => createProgram({ env: {}, terminal: silent, stdin: process.stdin }, () => {});

describe('command lines in the documentation', () => {
  const found = pages.flatMap((page) => commandLines(page).map((args) => ({ page, args })));

  it('are found', () => {
    expect(found.length).to.be.greaterThan(15);
  });

  it('are accepted by the program', () => {
    const problems = found.flatMap(({ page, args }) => {
      const problem = problemWith(newProgram(), args);
      return problem === null ? [] : [`${page}: postrider ${args.join(' ')}: ${problem}`];
    });
    expect(problems).to.deep.equal([]);
  });

  it('are refused where the program has no such command or option', () => {
    expect(problemWith(newProgram(), ['deliverys'])).to.include('deliverys');
    expect(problemWith(newProgram(), ['deliveries', '--fail'])).to.include('--fail');
    expect(problemWith(newProgram(), ['delivery'])).to.include('arguments');
    expect(problemWith(newProgram(), ['listen'])).to.include('--forward');
  });
});
