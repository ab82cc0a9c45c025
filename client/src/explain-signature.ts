import { isPublicKey } from './public-key.js';

/** The inputs that a person pastes to find out why a verification fails. */
export interface SignatureQuestion {
  /** As `rotate-secret` returned it: `whsec_…`, or the public key `whpk_…`. */
  readonly secret: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The body as the receiver read it. */
  readonly body: string;
  /** Milliseconds since 1970. */
  readonly nowMs: number;
}

/** Why a signature is not accepted. */
export type SignatureProblem =
  | { readonly kind: 'missing_header'; readonly header: string }
  | { readonly kind: 'malformed_secret' }
  | { readonly kind: 'malformed_timestamp' }
  /** Negative for a timestamp in the future. */
  | { readonly kind: 'timestamp_outside_tolerance'; readonly ageSeconds: number }
  | { readonly kind: 'no_supported_signature' }
  /** The signature matches another form of the same body: the receiver changed it before it verified. */
  | { readonly kind: 'body_changed'; readonly change: BodyChange }
  /** No form of the body matches: another secret, or another body or id. */
  | { readonly kind: 'wrong_secret_or_content' };

export type BodyChange = 'reformatted_json' | 'added_whitespace' | 'wrong_character_encoding';

/** Receivers reject older and later timestamps. */
const TOLERANCE_SECONDS = 5 * 60;
const PUBLIC_KEY_BYTES = 32;
const REQUIRED = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;

/**
 * Lists everything that prevents the verification; empty when the signature is valid. Runs in Node, and in browsers on pages that
 * were loaded over HTTPS or from localhost.
 */
export async function explainSignature(question: SignatureQuestion): Promise<readonly SignatureProblem[]> {
  const headers = lowerCased(question.headers);
  const missing = REQUIRED.filter((name) => (headers[name] ?? '').trim() === '');
  if (missing.length > 0) return missing.map((header) => ({ kind: 'missing_header', header }));
  const key = await importSecret(question.secret);
  if (key === null) return [{ kind: 'malformed_secret' }];
  const timestamp = timestampProblem(headers['webhook-timestamp'] ?? '', question.nowMs);
  const signature = await signatureProblem(key, headers, question.body);
  return [timestamp, signature].filter((problem) => problem !== null);
}

interface Key {
  readonly key: Awaited<ReturnType<typeof crypto.subtle.importKey>>;
  readonly algorithm: 'HMAC' | 'Ed25519';
  /** The prefix of its signatures. */
  readonly version: 'v1,' | 'v1a,';
}
type Headers = Readonly<Record<string, string | undefined>>;

function lowerCased(headers: Headers): Headers {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value?.trim()]),
  );
}

async function importSecret(secret: string): Promise<Key | null> {
  const text = secret.trim();
  const isPublic = isPublicKey(text);
  const bytes = fromBase64(text.replace(/^wh(?:sec|pk)_/, ''));
  if (bytes === null || bytes.length === 0 || (isPublic && bytes.length !== PUBLIC_KEY_BYTES)) return null;
  const imported = isPublic ? 'Ed25519' : { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', bytes, imported, false, ['verify']);
  return isPublic
    ? { key, algorithm: 'Ed25519', version: 'v1a,' }
    : { key, algorithm: 'HMAC', version: 'v1,' };
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

function timestampProblem(text: string, nowMs: number): SignatureProblem | null {
  if (!/^\d{1,12}$/.test(text)) return { kind: 'malformed_timestamp' };
  const ageSeconds = Math.round(nowMs / 1000) - Number(text);
  return Math.abs(ageSeconds) <= TOLERANCE_SECONDS
    ? null
    : { kind: 'timestamp_outside_tolerance', ageSeconds };
}

async function signatureProblem(key: Key, headers: Headers, body: string): Promise<SignatureProblem | null> {
  const signatures = (headers['webhook-signature'] ?? '')
    .split(' ')
    .filter((part) => part.startsWith(key.version))
    .map((part) => fromBase64(part.slice(key.version.length)))
    .filter((bytes) => bytes !== null);
  if (signatures.length === 0) return { kind: 'no_supported_signature' };
  const fits = async (candidate: string) => {
    const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${candidate}`;
    const bytes = new TextEncoder().encode(content);
    const results = signatures.map((signature) =>
      crypto.subtle.verify(key.algorithm, key.key, signature, bytes),
    );
    return (await Promise.all(results)).includes(true);
  };
  if (await fits(body)) return null;
  for (const [change, candidate] of otherForms(body)) {
    if (await fits(candidate)) return { kind: 'body_changed', change };
  }
  return { kind: 'wrong_secret_or_content' };
}

/** Forms that the body may have had before a receiver's framework changed it. */
function otherForms(body: string): readonly (readonly [BodyChange, string])[] {
  const compact = compactJson(body);
  const decoded = decodedAgain(body);
  return [
    ['added_whitespace', body.trim()],
    ...(compact === null ? [] : [['reformatted_json', compact] as const]),
    ...(decoded === null ? [] : [['wrong_character_encoding', decoded] as const]),
  ];
}

function compactJson(body: string): string | null {
  try {
    return JSON.stringify(JSON.parse(body));
  } catch {
    return null;
  }
}

/** Reverses the decoding of UTF-8 as Latin-1. */
function decodedAgain(body: string): string | null {
  if ([...body].some((character) => character > '\u00ff')) return null;
  try {
    const bytes = Uint8Array.from(body, (character) => character.charCodeAt(0));
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
