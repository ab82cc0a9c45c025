import { readFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { EXIT_CODES } from './exit-codes.js';
import { CommandError } from './explain-error.js';

/**
 * Reads a file, or standard input for `-`.
 *
 * @throws CommandError that names the file
 */
export async function readInput(stdin: Readable, file: string): Promise<string> {
  if (file === '-') {
    if (stdin.readableEnded)
      throw misused('standard input can be read only once.', 'Give a file for one of them.');
    return (await buffer(stdin)).toString('utf8');
  }
  return readFile(file, 'utf8').catch((error: Error) => {
    throw misused(error.message, 'Check the path of the file.');
  });
}

/** Like `readInput`, without the byte order mark with which editors and shells of Windows begin a file. */
export async function readText(stdin: Readable, file: string): Promise<string> {
  return (await readInput(stdin, file)).replace(/^\uFEFF/, '');
}

/** How errors name a file. */
export const nameOf = (file: string): string => (file === '-' ? 'standard input' : file);

/** @throws CommandError that names the file, if it is not a JSON object */
export function parseObject(content: string, file: string): Record<string, unknown> {
  const value = parse(content, file);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>;
  }
  throw misused(`${nameOf(file)} is not a JSON object.`, 'Give a JSON object.');
}

function parse(content: string, file: string): unknown {
  try {
    return JSON.parse(content);
  } catch (error) {
    throw misused(`${nameOf(file)} is not JSON: ${withoutExcerpt(error as Error)}.`, 'Give a JSON object.');
  }
}

/** V8 quotes the text around some mistakes, which may be a credential. */
export const withoutExcerpt = ({ message }: Error) =>
  message.replace(/, (?:\.{3})?".*is not valid JSON$/s, '');

export const misused = (message: string, next: string) =>
  new CommandError('InvalidRequest', message, { next, exitCode: EXIT_CODES.misused });
