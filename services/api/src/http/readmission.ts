import type { Request } from 'express';
import type { Credential } from '../domain/credential.js';
import { clientAddress } from '../rate-limits/client-key.js';
import type { Authenticate } from './authenticate.js';

interface Admitted {
  readonly request: Request;
  /** The workspace that the path names; null where the token alone decides. */
  readonly slug: string | null;
}

/** Whether the bearer of an admitted request is still valid. Counts no request, and rejects while that is unknown. */
export function readmission(
  { authenticate }: { readonly authenticate: Authenticate },
  { request, slug }: Admitted,
  { credential }: { readonly credential: Credential | null },
): () => Promise<boolean> {
  const credentials = { authorization: request.get('authorization'), slug, address: clientAddress(request) };
  return async () => {
    const now = await authenticate(credentials);
    return now.credential?.id === credential?.id && now.workspace !== null;
  };
}
