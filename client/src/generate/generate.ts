import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { explainFetchError } from '@postrider/client';
import { customEventTypes, UnusableDocument } from './custom-event-types.js';

/** An error that a person can fix: printed without a stack trace. */
export class GenerateError extends Error {}

const USAGE =
  'usage: postrider-client generate --from https://postrider.example.com/openapi.json --out src/custom-events.ts';
const TIMEOUT_MS = 30_000;

/**
 * Writes the types of the custom events of an installation to a file.
 *
 * @param args of the command line
 * @returns a line that describes the output, or the help text if requested
 * @throws GenerateError
 */
export async function generate(args: readonly string[]): Promise<string> {
  if (args.includes('--help') || args.includes('-h')) return USAGE;
  const { from, out } = readArguments(args);
  const { code, names } = typesOf(await download(from), from);
  try {
    await writeFile(out, code);
  } catch (error) {
    throw new GenerateError(`${out} cannot be written: ${(error as Error).message}`);
  }
  return `${out}: ${names.length === 0 ? 'no custom event types yet' : names.join(', ')}`;
}

function readArguments(args: readonly string[]): { readonly from: URL; readonly out: string } {
  const options = { from: { type: 'string' }, out: { type: 'string' } } as const;
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    const { from, out } = values;
    if (positionals.join(' ') !== 'generate') throw new Error('the command is "generate"');
    if (from === undefined || out === undefined) throw new Error('--from and --out are needed');
    if (!URL.canParse(from)) throw new Error(`--from is no URL: ${from}`);
    return { from: new URL(from), out };
  } catch (error) {
    throw new GenerateError(`${(error as Error).message}\n${USAGE}`);
  }
}

async function download(from: URL): Promise<string> {
  let response: Response;
  try {
    response = await fetch(from, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (response.ok) return await response.text();
  } catch (error) {
    throw new GenerateError(`${from} cannot be reached: ${explainFetchError(error as Error)}`);
  }
  throw new GenerateError(`${from} answers with status ${response.status}`);
}

function typesOf(text: string, from: URL) {
  try {
    return customEventTypes(JSON.parse(text));
  } catch (error) {
    if (error instanceof SyntaxError) throw new GenerateError(`${from} is not JSON: ${error.message}`);
    if (error instanceof UnusableDocument)
      throw new GenerateError(`${from} cannot be used: ${error.message}`);
    throw error;
  }
}
