import { readFile } from 'node:fs/promises';
import { explainSignature, type SignatureProblem } from '@postrider/client';
import type { Command } from 'commander';
import type { Cli, CommandContext } from '../context/cli.js';
import { EXIT_CODES, type ExitCode } from '../context/exit-codes.js';
import { parseHeaders } from '../context/parse-headers.js';

interface VerifyOptions {
  readonly secret?: string;
  readonly headers: string;
  readonly body: string;
}

export function addVerify(program: Command, cli: Cli): void {
  program
    .command('verify')
    .description('says whether a received request is genuine, and if not, which check fails and why')
    .option('--secret <secret>', 'signing secret, whsec_…; default: WEBHOOK_SECRET')
    .requiredOption('--headers <file>', 'headers: JSON, or one `name: value` a line')
    .requiredOption('--body <file>', 'body as it arrived')
    .action(cli.action<VerifyOptions>(verify));
}

async function verify({ env, output }: CommandContext, options: VerifyOptions): Promise<ExitCode> {
  const [headers, body] = await Promise.all([
    readFile(options.headers, 'utf8'),
    readFile(options.body, 'utf8'),
  ]);
  const problems = await explainSignature({
    secret: options.secret ?? env.WEBHOOK_SECRET ?? '',
    headers: parseHeaders(headers),
    body,
    nowMs: Date.now(),
  });
  output.one({ verified: problems.length === 0, problems }, () =>
    problems.length === 0 ? ['The signature is valid.'] : problems.map(describe),
  );
  return problems.length === 0 ? EXIT_CODES.succeeded : EXIT_CODES.negative;
}

function describe(problem: SignatureProblem): string {
  switch (problem.kind) {
    case 'missing_header':
      return `The header ${problem.header} is missing.`;
    case 'malformed_secret':
      return 'The secret is not one: it starts with whsec_, then comes Base64. Copy it as rotate-secret printed it.';
    case 'malformed_timestamp':
      return 'webhook-timestamp is not a number of seconds.';
    case 'timestamp_outside_tolerance':
      return `webhook-timestamp is ${Math.abs(problem.ageSeconds)} s ${problem.ageSeconds > 0 ? 'old' : 'in the future'}: more than five minutes are refused. Check the clock, or take a fresh request.`;
    case 'no_supported_signature':
      return 'webhook-signature has no signature that starts with v1, and is Base64.';
    case 'body_changed':
      return `The signature fits the body before it was changed (${problem.change.replaceAll('_', ' ')}): verify the bytes as they arrived.`;
    case 'wrong_secret_or_content':
      return 'The signature does not fit: the secret is another one, or the body or the id was changed.';
  }
}
