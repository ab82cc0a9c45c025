import type { Log } from '@postrider/shared/ports/log';
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';

interface KeySetParts {
  /** Fetches the keys of the authorization server. */
  readonly load: () => Promise<JSONWebKeySet>;
  readonly monotonicMs: () => number;
  readonly log: Log;
}

/** The keys of the authorization server cannot be fetched, so nothing is known about a token. */
export class KeysUnavailable extends Error {
  constructor() {
    super('the keys of the authorization server are unavailable');
  }
}

/** Keys older than this, in milliseconds, are fetched again but still used meanwhile. */
const FRESH_MS = 10 * 60_000;
/** Keys older than this are no longer used: the authorization server may have withdrawn them. */
const USABLE_MS = 60 * 60_000;
/** The minimum time between two fetches, so that tokens with made-up key ids cause at most six a minute. */
const PAUSE_MS = 10_000;

/**
 * The public keys of the authorization server, fetched when a token needs them and kept. A token with an unknown key id
 * causes a fetch, because the server may have new keys.
 *
 * @returns a function that finds the key of a token; it throws KeysUnavailable, or jose's errors for an unknown key
 */
export function createKeySet({ load, monotonicMs, log }: KeySetParts): JWTVerifyGetKey {
  let loaded: { readonly find: JWTVerifyGetKey; readonly at: number } | null = null;
  let last: { readonly at: number; readonly failed: boolean } | null = null;
  let loading: Promise<void> | null = null;

  const fetchKeys = async () => {
    try {
      loaded = { find: createLocalJWKSet(await load()), at: monotonicMs() };
      last = { at: monotonicMs(), failed: false };
    } catch (err) {
      log.warn(
        { event: 'oauth.keys_unavailable', err },
        'could not fetch the keys of the authorization server',
      );
      last = { at: monotonicMs(), failed: true };
    }
  };
  const refresh = async () => {
    if (loading === null && last !== null && monotonicMs() - last.at < PAUSE_MS) return;
    loading ??= fetchKeys().finally(() => {
      loading = null;
    });
    await loading;
  };
  const age = () => (loaded === null ? Number.POSITIVE_INFINITY : monotonicMs() - loaded.at);
  const usable = (): JWTVerifyGetKey => {
    if (loaded === null || age() >= USABLE_MS) throw new KeysUnavailable();
    return loaded.find;
  };

  return async (header, token) => {
    if (age() >= USABLE_MS) await refresh();
    else if (age() >= FRESH_MS) void refresh();
    try {
      return await usable()(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
    }
    await refresh();
    if (last?.failed === true) throw new KeysUnavailable();
    return usable()(header, token);
  };
}
