import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, components } from '@postrider/client';
import type { Command } from 'commander';
import type { Cli, CommandContext } from '../context/cli.js';
import { EXIT_CODES, type ExitCode } from '../context/exit-codes.js';
import type { Terminal } from '../context/terminal.js';

type Check = components['schemas']['ConformanceCheck'];

const POLL_EVERY_MS = 500;

export function addEndpointCheck(endpoints: Command, cli: Cli): void {
  endpoints
    .command('check <id>')
    .description('tests the receiver with genuine, forged and unusual requests, and says what to change')
    .action(cli.action(check));
}

async function check(
  { connect, output, terminal }: CommandContext,
  _: object,
  [endpointId = '']: readonly string[],
): Promise<ExitCode> {
  const { client } = await connect();
  const path = { endpointId };
  const { checkId } = await client.post('/webhooks/{endpointId}/conformance-checks', { params: { path } });
  terminal.note(`Check ${checkId} is running.`);
  const ended = await waitForEnd(client, { endpointId, checkId });
  output.one(ended, (result) => showCheck(result, terminal));
  return ended.status === 'passed' ? EXIT_CODES.succeeded : EXIT_CODES.negative;
}

/** A check ends within five minutes. */
async function waitForEnd(client: Client, path: { endpointId: string; checkId: string }): Promise<Check> {
  const look = () => client.get('/webhooks/{endpointId}/conformance-checks/{checkId}', { params: { path } });
  let found = await look();
  while (found.status === 'running') {
    await sleep(POLL_EVERY_MS);
    found = await look();
  }
  return found;
}

function showCheck({ results, status }: Check, { paint }: Pick<Terminal, 'paint'>): readonly string[] {
  const lines = results.flatMap(({ probe, expected, got, passed, advice }) => [
    [
      passed ? paint('green', 'passed') : paint('red', 'failed'),
      probe.padEnd(15),
      `expected ${expected},`,
      got === null ? 'no response' : `got ${got.httpStatus} in ${got.durationMs} ms`,
    ].join('  '),
    ...(advice === null ? [] : [`        ${advice}`]),
  ]);
  return [...lines, status === 'passed' ? 'The receiver conforms.' : 'The receiver does not conform.'];
}
