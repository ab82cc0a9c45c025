import { Argument, type Command } from 'commander';
import type { Cli } from '../context/cli.js';
import { completionScript, grammarOf, SHELLS, type Shell } from './completion-script.js';

export function addCompletion(program: Command, cli: Cli): void {
  program
    .command('completion')
    .description('prints a script that completes commands: eval "$(postrider completion bash)"')
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .action(
      cli.action(async ({ terminal }, _, [shell]) =>
        terminal.print(completionScript(shell as Shell, grammarOf(program))),
      ),
    );
}
