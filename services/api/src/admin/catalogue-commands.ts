import type { Command } from 'commander';
import { applyCatalogue, type CatalogueInput, diffCatalogue, exportCatalogue } from './catalogue.js';
import { examples } from './examples.js';
import type { Surroundings } from './surroundings.js';

interface ExtentOptions {
  readonly partial?: boolean;
}

const PARTIAL = ['--partial', 'the file holds only some of the types; the others stay'] as const;

/** Adds the commands for the installation's own event types. */
export function addCatalogue(program: Command, { env, terminal }: Surroundings): void {
  const catalogue = program.command('catalogue').description("manages the installation's own event types");
  catalogue
    .command('apply <file>')
    .description(
      'checks a catalogue file, YAML or JSON, or - for standard input, and stores it; changes are additive',
    )
    .option(...PARTIAL)
    .addHelpText(
      'after',
      [
        '',
        'Prints every mistake with its path, exits with 1 and stores nothing if there is one.',
        examples('admin catalogue apply event-types.yaml', 'admin catalogue apply invoice.yaml --partial'),
      ].join('\n'),
    )
    .action((file: string, options: ExtentOptions) => applyCatalogue(env, inputOf(file, options), terminal));
  catalogue
    .command('diff <file>')
    .description('checks a catalogue file, or - for standard input, and prints what applying it would change')
    .option(...PARTIAL)
    .addHelpText('after', examples('admin catalogue diff event-types.yaml'))
    .action((file: string, options: ExtentOptions) => diffCatalogue(env, inputOf(file, options), terminal));
  catalogue
    .command('export')
    .description('prints the stored catalogue as YAML')
    .option('--json', 'print JSON')
    .addHelpText('after', examples('admin catalogue export > event-types.yaml'))
    .action((options) => exportCatalogue(env, options, terminal));
}

function inputOf(file: string, { partial }: ExtentOptions): CatalogueInput {
  return { file, extent: partial === true ? 'partial' : 'whole' };
}
