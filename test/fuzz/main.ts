import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pythonWith } from '../python/python-with.js';
import { type FuzzedApi, startFuzzedApi } from './fuzzed-api.js';

const SCHEMATHESIS = 'schemathesis==4.32.5';
/**
 * Checks for every response. `positive_data_acceptance` is not among them: a well-formed request may be rejected for its
 * values (a URL inside a private network, a reused key).
 */
const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
  'negative_data_rejection',
  'missing_required_header',
  'unsupported_method',
  'allow_header_conformance',
  'ignored_auth',
];
/** For each operation and phase; a run makes some thousands of requests. */
const EXAMPLES = 200;

/** A response that ends only with its connection. */
const ENDLESS = ['--exclude-operation-id', 'stream_deliveries'];

/** A run with fewer requests fails. */
const MIN_REQUESTS = 2_000;

/**
 * Sends requests that the served document allows and forbids, and validates every response against it.
 * @returns the exit code
 */
async function fuzz(api: FuzzedApi, options: readonly string[]): Promise<number> {
  const programs = await pythonWith(SCHEMATHESIS);
  const directory = await mkdtemp(join(tmpdir(), 'postrider-fuzz-'));
  try {
    await writeFile(join(directory, 'schemathesis.toml'), settings(api));
    const run = ['run', `${api.origin}/openapi.json`, '--checks', CHECKS.join(',')];
    const phases = ['--phases', 'examples,coverage,fuzzing', '--max-examples', String(EXAMPLES)];
    const child = spawn(
      join(programs, 'schemathesis'),
      [...run, ...phases, '--continue-on-failure', ...ENDLESS, ...options],
      { cwd: directory, stdio: ['ignore', 'pipe', 'inherit'] },
    );
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk;
      process.stdout.write(chunk);
    });
    const [code] = (await once(child, 'close')) as [number | null];
    const requests = Number(/(\d+) generated/.exec(output)?.[1] ?? 0);
    console.log(`${requests} requests, ${MIN_REQUESTS} at least; the fuzzer ended with ${code}.`);
    return requests < MIN_REQUESTS ? 1 : (code ?? 1);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Most requests use existing resources; DELETE uses others, so that these stay. */
function settings({ token, parameters }: FuzzedApi): string {
  return [
    `headers = { Authorization = ${JSON.stringify(`Bearer ${token}`)} }`,
    '[parameters]',
    `"path.slug" = ${JSON.stringify(parameters.slug)}`,
    '[[operations]]',
    'exclude-method = "DELETE"',
    '[operations.parameters]',
    ...Object.entries(parameters).map(([name, value]) => `"path.${name}" = ${JSON.stringify(value)}`),
    '',
  ].join('\n');
}

const api = await startFuzzedApi();
try {
  process.exitCode = await fuzz(api, process.argv.slice(2));
} finally {
  await api.stop();
}
