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
 * Opens sessions one after the other. Only an invalid token is dropped: after any other error the same token can be tried
 * again.
 */
export async function openSessions(
  credentials: readonly Credential[],
  open: (credential: Credential) => Promise<Session>,
): Promise<OpenedSessions> {
  const opened: Session[] = [];
  const unopened: Credential[] = [];
  const errors: unknown[] = [];
  for (const credential of credentials) {
    try {
      opened.push(await open(credential));
    } catch (error) {
      const isInvalid = error instanceof PostriderError && error.is('Unauthorized');
      if (!isInvalid) unopened.push(credential);
      // A stored token may have expired since. A link was opened just now.
      if (!isInvalid || credential.source === 'portal_link') errors.push(error);
    }
  }
  return { opened, unopened, error: errors[0] ?? null };
}
