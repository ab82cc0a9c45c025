import { createHash } from 'node:crypto';
import type { Socket } from 'node:net';
import {
  type Answer,
  headersOf,
  startReceiver as listen,
  type Request,
  reply,
} from '@postrider/shared/testing/receiver';
import type { Received } from '../oracle/evidence.js';
import { randomFrom } from '../random.js';
import { numberIn } from './generator.js';
import { createSecrets, isSigned, type Secrets, type Signed } from './secrets.js';

/**
 * How an endpoint answers a POST.
 *
 * @param bucket a number from 0 to 99 that the seed gives the event at this endpoint; 99 for tests
 * @param earlier POSTs of the same delivery before this one
 */
export type Behaviour = (bucket: number, earlier: number) => Answer;

/** An HTTP server that records every POST before it answers. */
export interface Receiver {
  readonly url: string;
  /** Another origin: the endpoints of one origin share connections and their problems. */
  readonly otherUrl: string;
  readonly received: readonly Received[];
  behave(path: string, behaviour: Behaviour): void;
  /** From now on POSTs to this path are signed with this secret, and possibly with the previous one. */
  trust(path: string, secret: string): void;
  /** Verifies POSTs again that failed: the answer with a new secret may have arrived later. */
  verifyAgain(): void;
  /** Ends all connections, those with a POST in progress after its answer. */
  disconnect(): void;
  close(): Promise<void>;
}

type Entry = Received & { verified: boolean; isReset: boolean };
type Status = Extract<Answer, { readonly status: number }>;

export const OK: Status = { status: 200 };

export async function startReceiver(seed: number): Promise<Receiver> {
  const received: Entry[] = [];
  const behaviours = new Map<string, Behaviour>();
  const secrets = new Map<string, Secrets>();
  const unverified = new Map<Entry, Signed>();
  const posts = new Map<string, number>();
  const verify = (entry: Entry, signed: Signed) => {
    entry.verified = isSigned(signed, secrets.get(entry.path)?.validAt(entry.at) ?? [], entry.at);
    if (entry.verified) unverified.delete(entry);
    else unverified.set(entry, signed);
  };
  const inProgress = new Set<Socket>();
  const ending = new WeakSet<Socket>();
  const end = (socket: Socket) => {
    ending.add(socket);
    if (!inProgress.has(socket)) socket.end();
  };
  const handle = (request: Request, socket: Socket) => {
    // The sender did not know yet that this connection ends.
    if (ending.has(socket)) return;
    const { path, body } = request;
    const headers = headersOf(request);
    const deliveryId = String(headers['webhook-id']);
    const entry: Entry = {
      deliveryId,
      path,
      at: Date.now(),
      verified: false,
      bodyHash: createHash('sha1').update(body).digest('base64'),
      content: contentOf(body),
      answer: null,
      isReset: false,
    };
    verify(entry, { headers, body });
    received.push(entry);
    const earlier = posts.get(deliveryId) ?? 0;
    posts.set(deliveryId, earlier + 1);
    const event = numberIn(body.toString());
    const bucket = event === null ? 99 : randomFrom(seed, event, ...Buffer.from(path)).between(0, 99);
    const answer = behaviours.get(path)?.(bucket, earlier) ?? OK;
    entry.isReset = answer === 'reset';
    if (typeof answer === 'string' || 'raw' in answer) return reply(socket, answer);
    inProgress.add(socket);
    setTimeout(() => {
      entry.answer = { status: answer.status, at: Date.now() };
      reply(socket, { status: answer.status });
      inProgress.delete(socket);
      if (ending.has(socket)) socket.end();
    }, answer.delayMs ?? 0);
  };
  const [one, other] = [await listen(handle), await listen(handle)];
  return {
    url: one.url,
    otherUrl: other.url,
    received,
    behave: (path, behaviour) => void behaviours.set(path, behaviour),
    trust(path, secret) {
      const known = secrets.get(path) ?? createSecrets();
      known.add(secret, Date.now());
      secrets.set(path, known);
    },
    verifyAgain() {
      for (const [entry, signed] of unverified) verify(entry, signed);
    },
    disconnect() {
      for (const socket of [...one.connections, ...other.connections]) end(socket);
    },
    async close() {
      await Promise.all([one.close(), other.close()]);
    },
  };
}

function contentOf(body: Buffer): Received['content'] {
  try {
    const { deliveryId, payload } = JSON.parse(body.toString());
    return { deliveryId, tokenId: payload.tokenId ?? null };
  } catch {
    return null;
  }
}
