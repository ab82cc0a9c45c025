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
import { type Signed, verifies } from './signature.js';
import { type TrustedSecrets, trustedSecrets } from './trusted-secrets.js';

/**
 * @param nth how many POSTs of this delivery came before
 * @param lot a number from 0 to 99 that an event has at this endpoint, by the run's seed; 99 for all that is no event
 */
export type Behaviour = (deliveryId: string, nth: number, lot: number) => Answer;

/** A real HTTP server that logs every POST before it answers. */
export interface Receiver {
  readonly url: string;
  /** An origin of its own: endpoints that share one share its connections, and whatever is wrong with them. */
  readonly otherUrl: string;
  readonly received: readonly Received[];
  behave(path: string, behaviour: Behaviour): void;
  /** The secret that POSTs to this path are signed with from now on; the one before it may sign along. */
  trust(path: string, secret: string): void;
  /** Looks again at what did not verify: a new secret may have been on its way. */
  verifyAgain(): void;
  close(): Promise<void>;
}

type Log = Received & { verified: boolean };

export const OK: Response = { status: 200 };
type Response = Extract<Answer, { readonly status: number }>;

/** @param seed of the events' lots */
export async function startReceiver(seed: number): Promise<Receiver> {
  const received: Log[] = [];
  const behaviours = new Map<string, Behaviour>();
  const secrets = new Map<string, TrustedSecrets>();
  const trusted = (path: string, at: number) => secrets.get(path)?.at(at) ?? [];
  const doubtful = new Map<Log, Signed>();
  const seen = new Map<string, number>();

  const note = (path: string, signed: Signed): Log => {
    const at = Date.now();
    const entry: Log = {
      deliveryId: signed.id,
      path,
      at,
      verified: verifies(signed, trusted(path, at), at),
      bodyHash: createHash('sha1').update(signed.body).digest('base64'),
      said: saidIn(signed.body),
      answer: null,
    };
    if (!entry.verified) doubtful.set(entry, signed);
    received.push(entry);
    return entry;
  };
  const handle = (request: Request, socket: Socket) => {
    const { path, body } = request;
    const headers = headersOf(request);
    const id = String(headers['webhook-id']);
    const nth = seen.get(id) ?? 0;
    seen.set(id, nth + 1);
    const timestamp = String(headers['webhook-timestamp']);
    const entry = note(path, { id, timestamp, signatures: String(headers['webhook-signature']), body });
    const lot = lotOf(seed, path, numberIn(body.toString()));
    const answer = behaviours.get(path)?.(id, nth, lot) ?? OK;
    if (typeof answer === 'string' || 'raw' in answer) return reply(socket, answer);
    setTimeout(() => {
      entry.answer = { status: answer.status, at: Date.now() };
      reply(socket, { status: answer.status });
    }, answer.delayMs ?? 0);
  };
  const [one, other] = [await listen(handle), await listen(handle)];
  return {
    url: one.url,
    otherUrl: other.url,
    received,
    behave: (path, behaviour) => void behaviours.set(path, behaviour),
    trust(path, secret) {
      const known = secrets.get(path) ?? trustedSecrets();
      known.add(secret, Date.now());
      secrets.set(path, known);
    },
    verifyAgain() {
      for (const [entry, signed] of doubtful) {
        entry.verified = verifies(signed, trusted(entry.path, entry.at), entry.at);
        if (entry.verified) doubtful.delete(entry);
      }
    },
    async close() {
      await Promise.all([one.close(), other.close()]);
    },
  };
}

/** What a body tells of its delivery. */
function saidIn(body: Buffer): Received['said'] {
  try {
    const { deliveryId, payload } = JSON.parse(body.toString());
    return { deliveryId, tokenId: payload.tokenId ?? null };
  } catch {
    return null;
  }
}

function lotOf(seed: number, path: string, event: number | null): number {
  if (event === null) return 99;
  return randomFrom(seed, event, ...Buffer.from(path)).between(0, 99);
}
