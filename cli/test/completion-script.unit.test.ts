import { execFileSync, spawnSync } from 'node:child_process';
import { expect } from 'chai';
import { Argument, Command, Option } from 'commander';
import { completionScript, grammarOf, SHELLS, type Shell } from '../src/commands/completion-script.js';

const program = new Command('postrider').option('--json').option('--profile <name>');
const endpoints = program.command('endpoints');
endpoints
  .command('create')
  .addOption(new Option('--signing <method>').choices(['hmac-sha256', 'ed25519']))
  .option('--headers <file>');
endpoints.command('list');
program.command('completion').addArgument(new Argument('<shell>').choices(['bash', 'fish']));
const grammar = grammarOf(program);

const quoted = (line: readonly string[]) => line.map((word) => `"${word}"`).join(' ');

/** How each shell is asked for what follows a command line. */
const ASK: Readonly<Record<Shell, (line: readonly string[]) => readonly [...string[], script: string]>> = {
  bash: (line) => [
    '--norc',
    '-c',
    `${completionScript('bash', grammar)}
COMP_WORDS=(${quoted(line)}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _postrider; printf '%s\\n' "\${COMPREPLY[@]}"`,
  ],
  // Completion needs a terminal, and compinit seconds; bashcompinit calls the function like this.
  zsh: (line) => [
    '-f',
    '-c',
    `compdef() { registered="$*" }
${completionScript('zsh', grammar)}
[[ $registered == *_postrider*' postrider' ]] || exit 1
words=(${quoted(line)}); CURRENT=$#words; COMP_WORDS=("\${words[@]}"); COMP_CWORD=$((CURRENT - 1))
prefix=$words[-1]; candidates=(\${(f)"$(compgen -F _postrider -- $prefix)"}); print -l -- \${(M)candidates:#$prefix*}`,
  ],
  fish: (line) => [
    '--no-config',
    '-c',
    `${completionScript('fish', grammar)}\ncomplete --do-complete '${line.join(' ')}'`,
  ],
};

const hasShell = (shell: Shell) => spawnSync(shell, ['-c', 'exit 0']).status === 0;

describe('completion script', () => {
  it('has the words and the values by path', () => {
    const profile = { '--profile': [] };
    expect(grammar).to.deep.equal({
      '': { words: ['endpoints', 'completion', '--json', '--profile'], values: profile },
      endpoints: { words: ['create', 'list', '--json', '--profile'], values: profile },
      'endpoints create': {
        words: ['--signing', '--headers', '--json', '--profile'],
        values: { '--signing': ['hmac-sha256', 'ed25519'], '--headers': [], ...profile },
      },
      'endpoints list': { words: ['--json', '--profile'], values: profile },
      completion: { words: ['bash', 'fish', '--json', '--profile'], values: profile },
    });
  });

  for (const shell of SHELLS)
    it(`completes in ${shell}`, function () {
      if (!hasShell(shell)) return this.skip();
      const complete = (...line: readonly string[]) =>
        execFileSync(shell, ASK[shell](line), { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
          .split('\n')
          .filter((word) => word !== '')
          .sort()
          .join(' ');
      expect(complete('postrider', 'e')).to.equal('endpoints');
      expect(complete('postrider', '--j')).to.equal('--json');
      expect(complete('postrider', '--json', 'endpoints', '')).to.match(/create list$/);
      expect(complete('postrider', 'endpoints', 'create', '--h')).to.equal('--headers');
      expect(complete('postrider', '--profile', 'acme', 'endpoints', 'l')).to.equal('list');
      expect(complete('postrider', 'endpoints', 'create', 'a.example', '--s')).to.equal('--signing');
      expect(complete('postrider', 'endpoints', 'create', '--signing', 'e')).to.equal('ed25519');
      expect(complete('postrider', 'endpoints', 'create', '--headers', 'no-such-f')).to.equal('');
      expect(complete('postrider', 'completion', 'f')).to.equal('fish');
    });
});
