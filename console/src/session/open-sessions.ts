import { PostriderError } from '@postrider/client';
import type { Session } from './session.js';

/** A token, and how it came to this page. */
export type Credential = Pick<Session, 'token' | 'source'>;

export interface OpenedSessions {
  readonly opened: readonly Session[];
  /** What could not be checked. An invalid token is in neither list. */
  readonly unopened: readonly Credential[];
  /** The first error that a person should know; null if there is none. */
  readonly error: unknown;
}

/**
 * Opens sessions at the same time, so that one does not wait for another's answer. Only an invalid token is dropped: after any
 * other error the same token can be tried again.
 */
export async function openSessions(
  credentials: readonly Credential[],
  open: (credential: Credential) => Promise<Session>,
): Promise<OpenedSessions> {
  const results = await Promise.all(
    credentials.map((credential) =>
      open(credential).then(
        (session) => ({ session }),
        (error: unknown) => ({ credential, error, isInvalid: isInvalid(error) }),
      ),
    ),
  );
  const failures = results.flatMap((result) => ('session' in result ? [] : [result]));
  // A stored token may have expired since. A link was opened just now.
  const reported = failures.filter((one) => !one.isInvalid || one.credential.source === 'portal_link');
  return {
    opened: results.flatMap((result) => ('session' in result ? [result.session] : [])),
    unopened: failures.flatMap((one) => (one.isInvalid ? [] : [one.credential])),
    error: reported[0]?.error ?? null,
  };
}

function isInvalid(error: unknown): boolean {
  return error instanceof PostriderError && error.is('Unauthorized');
}
