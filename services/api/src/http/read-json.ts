import { isUtf8 } from 'node:buffer';
import { MIMEType } from 'node:util';
import { isNestedDeeper } from '@postrider/shared/domain/is-nested-deeper';
import { estimateJsonMemory } from '@postrider/shared/runtime/json-memory';
import type { Request, Response } from 'express';
import type { Operation } from '../document/openapi.js';
import { Refusal } from '../domain/refusal.js';
import type { ByteBudget } from './byte-budget.js';
import { reserveUntilClosed } from './reserve-until-closed.js';

/** The largest request body, in bytes, where an operation declares no other. */
export const MAX_BODY_BYTES = 64 * 1024;
/** Maximum nesting depth. The bodies in the document are two levels deep. */
const MAX_DEPTH = 32;
/** The parser of media types takes time that grows with the square of their length. */
const MAX_CONTENT_TYPE_LENGTH = 256;

/** The largest request body of an operation, in bytes. */
export function maxBodyBytesOf(operation: Pick<Operation, 'x-max-body-bytes'>): number {
  return operation['x-max-body-bytes'] ?? MAX_BODY_BYTES;
}

/** The body of a request: its bytes and the JSON value in them. */
export interface JsonBody {
  readonly bytes: Buffer;
  readonly value: unknown;
}

/** A request whose body may be read. */
export interface BodyRequest {
  readonly request: Request;
  readonly response: Response;
  readonly bodies: ByteBudget;
}

/**
 * Reads a JSON body. It stops at the first byte beyond the limit.
 *
 * @returns null when there is no body at all
 * @throws Refusal `PayloadTooLarge`, `UnsupportedMediaType`, `InvalidRequest` or, before it is read, `Unavailable`
 */
export async function readJson(from: BodyRequest, maxBytes = MAX_BODY_BYTES): Promise<JsonBody | null> {
  const { request } = from;
  const bytes = await readBytes(from, maxBytes);
  if (bytes.length === 0) return null;
  if (!isJsonType(request.get('content-type'))) {
    throw new Refusal('UnsupportedMediaType', 'Send the body as application/json.');
  }
  return { bytes, value: parse(from, bytes) };
}

async function readBytes(from: BodyRequest, maxBytes: number): Promise<Buffer> {
  const { request, response, bodies } = from;
  if (isCompressed(request)) throw new Refusal('UnsupportedMediaType', 'Send the body without compression.');
  const length = announcedLength(request) ?? maxBytes;
  requireSize(length, maxBytes);
  // A request that has already ended emits no further events: its reservation would never be released.
  if (request.destroyed || request.readableEnded || response.writableEnded || response.closed)
    throw endedEarly();
  const reservation = reserveUntilClosed(bodies, from, length);
  const bytes = await collect(request, length);
  if (bytes.length === length) return bytes;
  reservation.reduceTo(bytes.length);
  // A part of the buffer would keep all of it.
  return Buffer.from(bytes);
}

/** Whether the body has another coding than the chunks of a body without an announced length. */
function isCompressed({ headers }: Request): boolean {
  const { 'content-encoding': encoding = 'identity', 'transfer-encoding': transfer = 'chunked' } = headers;
  return encoding.toLowerCase() !== 'identity' || transfer.toLowerCase() !== 'chunked';
}

/** The announced length of the body; null if only its end shows it. */
function announcedLength({ headers }: Request): number | null {
  return headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : null;
}

/** Reads into a buffer of the reserved size: one-byte chunks would take a hundred times as much memory. */
function collect(request: Request, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const bytes = Buffer.allocUnsafe(maxBytes);
    let size = 0;
    const take = (chunk: Buffer) => {
      if (size + chunk.length > maxBytes) return settle(() => reject(tooLarge(maxBytes)));
      size += chunk.copy(bytes, size);
    };
    const finish = () => settle(() => resolve(bytes.subarray(0, size)));
    const fail = () => settle(() => reject(endedEarly()));
    const settle = (end: () => void) => {
      request.off('data', take).off('end', finish).off('error', fail).off('close', fail).pause();
      end();
    };
    request.on('data', take).on('end', finish).on('error', fail).on('close', fail);
  });
}

function endedEarly(): Refusal {
  return new Refusal('InvalidRequest', 'The request body ended early.');
}

/** @throws Refusal `PayloadTooLarge` */
export function requireSize(bytes: number, maxBytes: number): void {
  if (bytes > maxBytes) throw tooLarge(maxBytes);
}

function tooLarge(maxBytes: number): Refusal {
  return new Refusal('PayloadTooLarge', `The request body must have at most ${maxBytes} bytes here.`);
}

/** JSON is always UTF-8 (RFC 8259), so any other charset is refused. Other parameters mean nothing. */
function isJsonType(contentType: string | undefined): boolean {
  const type = mimeTypeOf(contentType ?? '');
  const charset = type?.params.get('charset') ?? 'utf-8';
  return type?.essence === 'application/json' && charset.toLowerCase() === 'utf-8';
}

function mimeTypeOf(text: string): MIMEType | null {
  if (text.length > MAX_CONTENT_TYPE_LENGTH) return null;
  try {
    return new MIMEType(text);
  } catch {
    return null;
  }
}

function parse(from: BodyRequest, bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw malformed('is not valid UTF-8');
  const text = bytes.toString('utf8');
  if (isNestedDeeper(text, MAX_DEPTH)) throw malformed(`is nested deeper than ${MAX_DEPTH} levels`);
  reserveValue(from, bytes);
  try {
    return JSON.parse(text);
  } catch {
    throw malformed('is not well-formed JSON');
  }
}

/** The value of a body may take twenty times the memory of its text, which is reserved already. */
function reserveValue(from: BodyRequest, bytes: Buffer): void {
  if (from.response.closed) throw endedEarly();
  reserveUntilClosed(from.bodies, from, estimateJsonMemory(bytes) - bytes.length);
}

function malformed(problem: string): Refusal {
  return new Refusal('InvalidRequest', `The request body ${problem}.`, [{ path: 'body', message: problem }]);
}
