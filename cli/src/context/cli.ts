import type { Readable } from 'node:stream';
import type { Command } from 'commander';
import { type Connection, connect } from './connect.js';
import type { ExitCode } from './exit-codes.js';
import { createOutput, type Output } from './output.js';
import type { Terminal } from './terminal.js';

/** The program's inputs from its process. */
export interface Surroundings {
  readonly env: NodeJS.ProcessEnv;
  readonly terminal: Terminal;
  readonly stdin: Readable & { readonly isTTY?: boolean };
}

/** The inputs of a command. */
export interface CommandContext extends Surroundings {
  readonly output: Output;
  /** As given by `--profile`. */
  readonly profileName: string | undefined;
  /** The session and the client of the chosen profile. */
  connect(): Promise<Connection>;
}

/** Runs a command; resolves with an exit code other than 0 if the result is negative. */
export type Run<Options> = (
  context: CommandContext,
  options: Options,
  args: readonly string[],
) => Promise<ExitCode> | Promise<void>;

export interface Cli {
  /** Creates the action of a command from a function of context, options and arguments. */
  action<Options>(run: Run<Options>): (this: Command, ...parts: unknown[]) => Promise<void>;
}

interface GlobalOptions {
  readonly json?: true;
  readonly profile?: string;
}

export function createCli(surroundings: Surroundings, setExitCode: (code: ExitCode) => void): Cli {
  return {
    action<Options>(run: Run<Options>) {
      return async function (this: Command): Promise<void> {
        const { json, profile, ...options } = this.optsWithGlobals<GlobalOptions>();
        const { env, terminal } = surroundings;
        const context: CommandContext = {
          ...surroundings,
          output: createOutput({ terminal, format: json ? 'json' : 'text' }),
          profileName: profile,
          connect: () => connect(env, profile),
        };
        const code = await run(context, options as Options, this.args);
        if (typeof code === 'number') setExitCode(code);
      };
    },
  };
}
