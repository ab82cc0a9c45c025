import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pythonWith } from '../python/python-with.js';
import type { FuzzedApi } from './fuzzed-api.js';

const SCHEMATHESIS = 'schemathesis==4.32.5';
/**
 * What must hold for every answer, whatever was asked. Not among them: that what has the right form is accepted, for it
 * may still be refused for what it says (a URL inside a private network, a key that was used before).
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
/** For each operation and phase; the run as a whole comes to some thousands. */
const EXAMPLES = 200;

/** What a run came to. */
export interface FuzzRun {
  readonly exitCode: number;
  readonly requests: number;
}

/** Asks what the served document allows, and what it does not, and holds every answer against the document. */
export async function fuzz(api: FuzzedApi, options: readonly string[]): Promise<FuzzRun> {
  const programs = await pythonWith(SCHEMATHESIS, process.env);
  const directory = await mkdtemp(join(tmpdir(), 'postrider-fuzz-'));
  try {
    await writeFile(join(directory, 'schemathesis.toml'), settings(api));
    const run = ['run', `${api.origin}/openapi.json`, '--checks', CHECKS.join(',')];
    const phases = ['--phases', 'examples,coverage,fuzzing', '--max-examples', String(EXAMPLES)];
    const child = spawn(
      join(programs, 'schemathesis'),
      [...run, ...phases, '--continue-on-failure', ...options],
      { cwd: directory, stdio: ['ignore', 'pipe', 'inherit'] },
    );
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk;
      process.stdout.write(chunk);
    });
    const [code] = (await once(child, 'close')) as [number | null];
    return { exitCode: code ?? 1, requests: Number(/(\d+) generated/.exec(output)?.[1] ?? 0) };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Most requests meet things that are there; those of the operations that remove some, things that are not. */
function settings({ slug, token, endpointId, deliveryId, memberId }: FuzzedApi): string {
  return [
    `headers = { Authorization = ${JSON.stringify(`Bearer ${token}`)} }`,
    '[parameters]',
    `"path.slug" = ${JSON.stringify(slug)}`,
    '[[operations]]',
    'exclude-method = "DELETE"',
    '[operations.parameters]',
    `"path.slug" = ${JSON.stringify(slug)}`,
    `"path.endpointId" = ${JSON.stringify(endpointId)}`,
    `"path.deliveryId" = ${JSON.stringify(deliveryId)}`,
    `"path.memberId" = ${JSON.stringify(memberId)}`,
    '',
  ].join('\n');
}
