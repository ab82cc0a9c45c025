import { explainSignature } from '@postrider/client';
import type { Command } from 'commander';
import type { Cli, CommandContext } from '../context/cli.js';
import { EXIT_CODES, type ExitCode } from '../context/exit-codes.js';
import { CommandError } from '../context/explain-error.js';
import { parseHeaders } from '../context/parse-headers.js';
import { readInput, readText } from '../context/read-input.js';
import { describeSignatureProblem } from './describe-signature-problem.js';

interface VerifyOptions {
  readonly secret?: string;
  readonly headers: string;
  readonly body: string;
}

export function addVerify(program: Command, cli: Cli): void {
  program
    .command('verify')
    .description('checks whether a received request is genuine, and if not, says what failed and why')
    .option(
      '--secret <secret>',
      'signing secret, whsec_…, or public key, whpk_…, with signing ed25519; default: WEBHOOK_SECRET',
    )
    .requiredOption('--headers <file>', 'headers: JSON, or one `name: value` per line')
    .requiredOption('--body <file>', 'body as it arrived')
    .action(cli.action<VerifyOptions>(verify));
}

function missingSecret(): never {
  throw new CommandError('InvalidRequest', 'no signing secret was given.', {
    next: 'Give --secret, or set WEBHOOK_SECRET to what `postrider endpoints rotate-secret ID` printed.',
    exitCode: EXIT_CODES.misused,
  });
}

async function verify({ env, stdin, output }: CommandContext, options: VerifyOptions): Promise<ExitCode> {
  const secret = options.secret || env.WEBHOOK_SECRET || missingSecret();
  const headers = parseHeaders(await readText(stdin, options.headers), options.headers);
  const body = await readInput(stdin, options.body);
  const problems = await explainSignature({ secret, headers, body, nowMs: Date.now() });
  output.one({ verified: problems.length === 0, problems }, () =>
    problems.length === 0
      ? ['The signature is valid.']
      : problems.map((problem) => describeSignatureProblem(problem, { secret, headers })),
  );
  return problems.length === 0 ? EXIT_CODES.succeeded : EXIT_CODES.negative;
}
