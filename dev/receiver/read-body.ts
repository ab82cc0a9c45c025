import type { IncomingMessage } from 'node:http';

/** A body may have one mebibyte. */
export const BODY_LIMIT = 1024 * 1024;

/** The whole body, or undefined when it is larger than the limit; the rest is then read and dropped. */
export async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= BODY_LIMIT) chunks.push(chunk);
  }
  return size <= BODY_LIMIT ? Buffer.concat(chunks) : undefined;
}

/** The JSON in a body; undefined for what is none. */
export function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}
