import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Received } from '../oracle/evidence.js';
import { randomFrom } from '../random.js';
import { numberIn } from './generator.js';
import { type Signed, verifies } from './signature.js';
import { type TrustedSecrets, trustedSecrets } from './trusted-secrets.js';

/** How an endpoint answers one POST. */
export type Answer =
  | { readonly kind: 'status'; readonly status: number; readonly afterMs?: number }
  /** Takes the request and never says a word. */
  | { readonly kind: 'silence' }
  /** Breaks the connection without a farewell: RST, not FIN. */
  | { readonly kind: 'reset' }
  /** Bytes of one's own instead of an answer. */
  | { readonly kind: 'raw'; readonly text: string; readonly then: 'hang up' | 'stay' };

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

export const OK = { kind: 'status', status: 200 } as const;

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
  const answer = (entry: Log, response: ServerResponse, chosen: Answer) => {
    if (chosen.kind === 'silence') return;
    if (chosen.kind === 'reset') {
      response.socket?.resetAndDestroy();
      return;
    }
    if (chosen.kind === 'raw') {
      response.socket?.write(chosen.text);
      if (chosen.then === 'hang up') response.socket?.end();
      return;
    }
    setTimeout(() => {
      entry.answer = { status: chosen.status, at: Date.now() };
      response.writeHead(chosen.status).end();
    }, chosen.afterMs ?? 0);
  };
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const { headers, url = '/' } = request;
    response.on('error', () => {});
    const body = await buffer(request);
    const id = String(headers['webhook-id']);
    const nth = seen.get(id) ?? 0;
    seen.set(id, nth + 1);
    const timestamp = String(headers['webhook-timestamp']);
    const entry = note(url, { id, timestamp, signatures: String(headers['webhook-signature']), body });
    const lot = lotOf(seed, url, numberIn(body.toString()));
    answer(entry, response, behaviours.get(url)?.(id, nth, lot) ?? OK);
  };
  const listener: RequestListener = (request, response) => {
    // A sender that dies in the middle of a request has not made it.
    handle(request, response).catch(() => response.destroy());
  };
  const [one, other] = [await listen(listener), await listen(listener)];
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
      one.close();
      other.close();
    },
  };
}

async function listen(listener: RequestListener) {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.close();
      server.closeAllConnections();
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
