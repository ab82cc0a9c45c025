import { isUtf8 } from 'node:buffer';
import type { Request } from 'express';
import { Refusal } from '../domain/refusal.js';

/** The largest request body, in bytes, where an operation declares no other. */
export const MAX_BODY_BYTES = 64 * 1024;
/** The bodies of the document are two levels deep. */
const MAX_DEPTH = 32;

/** The body of a request: its bytes and the JSON value in them. */
export interface JsonBody {
  readonly bytes: Buffer;
  readonly value: unknown;
}

/**
 * Reads a JSON body. It stops at the first byte beyond the limit.
 *
 * @returns null when there is no body at all
 * @throws Refusal `PayloadTooLarge`, `UnsupportedMediaType` or `InvalidRequest`
 */
export async function readJson(request: Request, maxBytes = MAX_BODY_BYTES): Promise<JsonBody | null> {
  const bytes = await readBytes(request, maxBytes);
  if (bytes.length === 0) return null;
  if (!isJsonType(request.get('content-type'))) {
    throw new Refusal('UnsupportedMediaType', 'Send the body as application/json.');
  }
  return { bytes, value: parse(bytes) };
}

async function readBytes(request: Request, maxBytes: number): Promise<Buffer> {
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() !== 'identity') {
    throw new Refusal('UnsupportedMediaType', 'Send the body without compression.');
  }
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
  return collect(request, maxBytes);
}

function collect(request: Request, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const take = (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxBytes) chunks.push(chunk);
      else settle(() => reject(tooLarge(maxBytes)));
    };
    const finish = () => settle(() => resolve(Buffer.concat(chunks)));
    const fail = () => settle(() => reject(new Refusal('InvalidRequest', 'The request body ended early.')));
    const settle = (end: () => void) => {
      request.off('data', take).off('end', finish).off('error', fail).off('close', fail).pause();
      end();
    };
    request.on('data', take).on('end', finish).on('error', fail).on('close', fail);
  });
}

function tooLarge(maxBytes: number): Refusal {
  return new Refusal('PayloadTooLarge', `A request body has at most ${maxBytes} bytes here.`);
}

/** JSON is always UTF-8 (RFC 8259), so any other charset is refused. */
function isJsonType(contentType: string | undefined): boolean {
  return /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?;?$/i.test(contentType?.trim() ?? '');
}

function parse(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw malformed('is not valid UTF-8');
  const text = bytes.toString('utf8');
  if (depthOf(text) > MAX_DEPTH) throw malformed(`is nested deeper than ${MAX_DEPTH} levels`);
  try {
    return JSON.parse(text);
  } catch {
    throw malformed('is not well-formed JSON');
  }
}

/** The nesting depth of a JSON text. Brackets inside strings do not count. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (inString && character === '\\') index += 1;
    else if (character === '"') inString = !inString;
    else if (!inString && (character === '{' || character === '[')) deepest = Math.max(deepest, ++depth);
    else if (!inString && (character === '}' || character === ']')) depth -= 1;
  }
  return deepest;
}

function malformed(problem: string): Refusal {
  return new Refusal('InvalidRequest', `The request body ${problem}.`, [{ path: 'body', message: problem }]);
}
