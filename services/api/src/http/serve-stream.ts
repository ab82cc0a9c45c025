import type { Request, Response } from 'express';
import type { BoundOperation } from '../document/bound-operations.js';
import type { Credential } from '../domain/credential.js';
import { Refusal } from '../domain/refusal.js';
import type { StreamPermit } from '../domain/stream-query.js';
import type { OpenStreams } from '../streams/open-streams.js';
import type { StreamEnd, StreamSink } from '../streams/stream.js';
import { answerRefusal } from './error-handler.js';
import { contextOf } from './request-context.js';

interface StreamCall {
  readonly streams: Pick<OpenStreams, 'open'>;
  readonly permit: StreamPermit;
  readonly caller: { readonly credential: Credential };
  readonly mayContinue: () => Promise<boolean>;
}

interface Exchange {
  readonly request: Request;
  readonly response: Response;
}

const EVENT_STREAM = 'text/event-stream';
const HEADERS = {
  'content-type': EVENT_STREAM,
  // Without it nginx buffers the response.
  'x-accel-buffering': 'no',
  connection: 'close',
};
/** How long a client may take to receive the rest of an ended stream, in milliseconds. */
const END_WITHIN_MS = 5_000;

/** Whether an operation responds with Server-Sent Events. */
export function isStreamed({ success }: Pick<BoundOperation, 'success'>): boolean {
  return success.response.content?.[EVENT_STREAM] !== undefined;
}

/** Responds with Server-Sent Events until the client leaves or the stream ends; to HEAD with the headers alone. */
export async function serveStream(
  { streams, permit, caller, mayContinue }: StreamCall,
  { request, response }: Exchange,
): Promise<void> {
  if (request.method === 'HEAD') return void response.writeHead(200, HEADERS).end();
  const open = await streams.open({
    query: permit.query,
    credentialId: caller.credential.id,
    lastEventId: request.get('last-event-id') ?? null,
    mayContinue,
  });
  response.once('close', open.close);
  await permit.recordOpening().catch((error) => {
    open.close();
    throw error;
  });
  // The client left meanwhile, or got the response to a time-out.
  if (response.destroyed || response.headersSent) return open.close();
  open.start(sinkOf({ request, response }));
}

/** Writes the head with the first text: until then the request can be refused, also by its deadline. */
function sinkOf({ request, response }: Exchange): StreamSink {
  return {
    write(text) {
      if (response.writableEnded || response.destroyed) return;
      if (!response.headersSent) writeHead({ request, response });
      response.write(text);
    },
    bufferedBytes: () => response.writableLength,
    drained: () =>
      new Promise((resolve) => {
        if (!response.writableNeedDrain || response.destroyed) return resolve();
        const done = () => {
          response.off('drain', done).off('close', done);
          resolve();
        };
        response.on('drain', done).on('close', done);
      }),
    end(reason) {
      if (!response.headersSent) return answerRefusal(response, notOpened(reason));
      response.end();
      const cutOff = setTimeout(() => response.destroy(), END_WITHIN_MS);
      response.once('close', () => clearTimeout(cutOff));
    },
  };
}

function writeHead({ request, response }: Exchange): void {
  contextOf(response).isStream = true;
  response.writeHead(200, HEADERS);
  request.socket.setNoDelay(true);
}

function notOpened(reason: StreamEnd): Refusal {
  return reason === 'token_ended'
    ? new Refusal('Unauthorized', 'The token was revoked or has expired.')
    : new Refusal('Unavailable', 'The stream could not be opened. Try again.');
}
