import { isDeepStrictEqual } from 'node:util';
import type { EndpointSecrets, LiveEndpoint, SealedKey } from '@postrider/shared/domain/endpoint';
import {
  type EndpointOptions,
  formatHeaders,
  type PlainHeaders,
  parseHeaders,
  type SealedHeaders,
} from '@postrider/shared/domain/endpoint-options';
import { type EventFilter, storeFilter } from '@postrider/shared/domain/event-filter';
import { changeSigning, signingMethodOf } from '@postrider/shared/domain/rotation';
import { type NewKey, newKey, SECRET_BYTES, type SigningMethod } from '@postrider/shared/domain/signing';
import type { WebhookOptions } from '../contract/webhook.js';
import type { Deps } from './deps.js';

/** @throws Refusal `UpgradeInProgress` when older processes would ignore one of the options */
export function requireOptions(
  { requireFeature }: Pick<Deps, 'requireFeature'>,
  input: WebhookOptions,
): void {
  const { headers, metadata, ratePerSecond, signing, filter } = input;
  const options = [headers, metadata, ratePerSecond, signing === 'hmac-sha256' ? null : signing];
  if (options.some((option) => option != null)) requireFeature('endpointOptions');
  if (filter != null) requireFeature('endpointFilters');
}

interface EndpointWithHeaders {
  readonly id: string;
  /** The headers as they are stored; absent or null if there are none. */
  readonly headers?: SealedHeaders | null;
}

/** The options that were sent, as they are stored. Headers with the same values keep their ciphertext. */
export function storedOptions(
  { sealing }: Pick<Deps, 'sealing'>,
  input: WebhookOptions,
  endpoint: EndpointWithHeaders,
): EndpointOptions {
  const { headers, metadata, ratePerSecond, filter } = input;
  return {
    ...(headers !== undefined && { headers: sealHeaders(sealing, headers, endpoint) }),
    ...(metadata !== undefined && { metadata: entriesOf(metadata) }),
    ...(ratePerSecond !== undefined && { ratePerSecond }),
    ...(filter !== undefined && { filter: filter && storeFilter(filter as EventFilter) }),
  };
}

interface MadeKey {
  readonly key: NewKey;
  /** The key as it is stored. */
  readonly sealed: SealedKey;
}

/** Makes a key for an endpoint. */
export function makeKey(
  { randomBytes, sealing }: Pick<Deps, 'randomBytes' | 'sealing'>,
  method: SigningMethod,
  endpointId: string,
): MadeKey {
  const key = newKey(method, randomBytes(SECRET_BYTES));
  const { secret, publicKey } = key;
  return { key, sealed: { secret: sealing.seal(secret, endpointId), publicKey } };
}

/** The keys after a change of the signing method; nothing if it stays. */
export function changeOfKey(
  deps: Pick<Deps, 'randomBytes' | 'sealing'>,
  { signing }: WebhookOptions,
  { before, at }: { readonly before: Pick<LiveEndpoint, 'id' | 'secrets'>; readonly at: Date },
): { readonly secrets?: EndpointSecrets } {
  if (signing === undefined) return {};
  const { id, secrets } = before;
  const method = signing ?? 'hmac-sha256';
  if (method === signingMethodOf(secrets)) return {};
  return { secrets: changeSigning(secrets, makeKey(deps, method, id).sealed, at) };
}

function entriesOf(metadata: WebhookOptions['metadata']): EndpointOptions['metadata'] & object {
  return Object.entries(metadata ?? {}).map(([name, value]) => ({ name, value }));
}

function sealHeaders(
  sealing: Deps['sealing'],
  headers: PlainHeaders | null,
  { id, headers: stored }: EndpointWithHeaders,
): SealedHeaders | null {
  const entries = Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value] as const);
  if (entries.length === 0) return null;
  const sent = Object.fromEntries(entries);
  if (stored && contains(sealing, stored, { id, sent })) return stored;
  return { names: entries.map(([name]) => name), sealed: sealing.seal(formatHeaders(sent), id) };
}

/** Whether stored headers are those that were sent. Headers that cannot be decrypted must not keep others from replacing them. */
function contains(
  sealing: Deps['sealing'],
  { sealed }: SealedHeaders,
  { id, sent }: { readonly id: string; readonly sent: PlainHeaders },
): boolean {
  let opened: string;
  try {
    opened = sealing.open(sealed, id);
  } catch {
    return false;
  }
  return isDeepStrictEqual(parseHeaders(opened), sent);
}
