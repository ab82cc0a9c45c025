import { execFileSync } from 'node:child_process';
import { expect } from 'chai';
import { Argument, Command } from 'commander';
import { completionScript, wordsOf } from '../src/context/completion-script.js';

const program = new Command('postrider').option('--json');
const endpoints = program.command('endpoints');
endpoints.command('create').option('--event-types <types>');
endpoints.command('list');
program.command('completion').addArgument(new Argument('<shell>').choices(['bash', 'fish']));
const words = wordsOf(program);

describe('completion script', () => {
  it('has the subcommands and options by path', () => {
    expect(words).to.deep.equal({
      '': ['endpoints', 'completion', '--json'],
      endpoints: ['create', 'list', '--json'],
      'endpoints create': ['--event-types', '--json'],
      'endpoints list': ['--json'],
      completion: ['bash', 'fish', '--json'],
    });
  });

  it('completes in bash', () => {
    const complete = (...line: readonly string[]) => {
      const script = `${completionScript('bash', words)}
COMP_WORDS=(${line.map((word) => `"${word}"`).join(' ')}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _postrider; echo "\${COMPREPLY[@]}"`;
      return execFileSync('bash', ['-c', script], { encoding: 'utf8' }).trim();
    };
    expect(complete('postrider', 'e')).to.equal('endpoints');
    expect(complete('postrider', '--json', 'endpoints', '')).to.equal('create list --json');
    expect(complete('postrider', 'endpoints', 'create', '--e')).to.equal('--event-types');
    expect(complete('postrider', '--profile', 'acme', 'endpoints', 'l')).to.equal('list');
    expect(complete('postrider', 'endpoints', 'create', 'https://a.example', '--e')).to.equal(
      '--event-types',
    );
    expect(complete('postrider', 'completion', 'f')).to.equal('fish');
  });
});
