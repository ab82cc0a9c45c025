import { request as requestHttp } from 'node:http';
import { Agent, request as requestHttps } from 'node:https';
import { NO_REGISTRY } from './explain-registry-error.js';
import type { RegistryAccess } from './schema-registry.js';

/** `NONE` leaves the check to the catalogue. */
type Compatibility = 'BACKWARD' | 'NONE';

/** The calls of the schema registry's REST interface that its Node client lacks. Errors have a `status`. */
export interface RegistryClient {
  /** Adds a version to a subject unless it has this one. @returns its id */
  register(subject: string, schema: object): Promise<number>;
  /** Sets how new versions are checked. @returns whether the subject exists */
  setCompatibility(subject: string, compatibility: Compatibility): Promise<boolean>;
  /** The id of a schema in a subject; null if the subject does not have it. */
  idOf(subject: string, schema: object): Promise<number | null>;
  /** The subjects that have the schema with this id; none if there is no such schema. */
  subjectsOf(id: number): Promise<readonly string[]>;
}

/** The registry answered with an error. */
export class RegistryError extends Error {
  override readonly name = 'RegistryError';

  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** The registry's status for an unknown schema id or subject. */
export const NOT_FOUND = 404;
/** How long a request may take, in milliseconds. */
export const REGISTRY_TIMEOUT_MS = 10_000;

interface Sent {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly body?: object;
}

type Send = (path: string, sent: Sent) => Promise<unknown>;

export function createRegistryClient(host: string, access: RegistryAccess): RegistryClient {
  const send = createSend(host, access);
  const ofSubject = (subject: string) => `subjects/${encodeURIComponent(subject)}`;
  const document = (schema: object) => ({ schemaType: 'JSON', schema: JSON.stringify(schema) });
  const orWhenMissing =
    <Value>(value: Value) =>
    (error: unknown): Value => {
      if (error instanceof RegistryError && error.status === NOT_FOUND) return value;
      throw error;
    };
  return {
    async register(subject, schema) {
      const answer = await send(`${ofSubject(subject)}/versions`, { method: 'POST', body: document(schema) });
      return (answer as { id: number }).id;
    },
    async setCompatibility(subject, compatibility) {
      const path = `config/${encodeURIComponent(subject)}`;
      const sent = send(path, { method: 'PUT', body: { compatibility } });
      return sent.then(() => true, orWhenMissing(false));
    },
    async idOf(subject, schema) {
      const asked = send(ofSubject(subject), { method: 'POST', body: document(schema) });
      return asked.then((answer) => (answer as { id: number }).id, orWhenMissing(null));
    },
    async subjectsOf(id) {
      const asked = send(`schemas/ids/${id}/versions`, { method: 'GET' });
      const versions = await asked.catch(orWhenMissing([]));
      return (versions as readonly { subject: string }[]).map(({ subject }) => subject);
    },
  };
}

function createSend(host: string, { auth, ca }: RegistryAccess): Send {
  const base = host.endsWith('/') ? host : `${host}/`;
  const agent = ca === undefined ? undefined : new Agent({ ca, keepAlive: true });
  return async (path, { method, body }) => {
    const url = new URL(path, base);
    const bytes = body === undefined ? null : Buffer.from(JSON.stringify(body));
    const options = {
      method,
      headers: {
        accept: 'application/vnd.schemaregistry.v1+json, application/json',
        ...(bytes && {
          'content-type': 'application/vnd.schemaregistry.v1+json',
          'content-length': bytes.length,
        }),
      },
      timeout: REGISTRY_TIMEOUT_MS,
      ...(agent && { agent }),
      ...(auth && { auth: `${auth.username}:${auth.password}` }),
    };
    const { status, text } = await exchange(url, options, bytes);
    if (status >= 200 && status < 300) return parseAnswer(text);
    throw new RegistryError(status, `the schema registry answers ${status}: ${text.slice(0, 500)}`);
  };
}

function parseAnswer(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Error(NO_REGISTRY, { cause });
  }
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

function exchange(url: URL, options: object, bytes: Buffer | null): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const open = url.protocol === 'https:' ? requestHttps : requestHttp;
    const request = open(url, options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') }),
      );
    });
    request.on('timeout', () => request.destroy(new Error(`no response within ${REGISTRY_TIMEOUT_MS} ms`)));
    request.on('error', reject);
    request.end(bytes);
  });
}
