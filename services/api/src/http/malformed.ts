import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { newTraceId } from '@postrider/shared/runtime/trace';
import { Refusal } from '../domain/refusal.js';
import { problemOf } from './problem.js';

/** Answers requests that are malformed or whose head is too large; these never reach the application. */
export function answerMalformed(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const refusal = new Refusal(
    'InvalidRequest',
    'This is not a valid HTTP request, or its head is too large or too slow.',
  );
  const problem = problemOf(refusal, newTraceId());
  const body = JSON.stringify(problem);
  const head = [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
    'content-type: application/problem+json',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-trace-id: ${problem.traceId}`,
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
