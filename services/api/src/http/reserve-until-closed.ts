import type { Request, Response } from 'express';
import { clientKey } from '../rate-limits/client-key.js';
import type { ByteBudget } from './byte-budget.js';
import { contextOf } from './request-context.js';

export interface Reservation {
  /** Gives back all but these bytes. */
  reduceTo(bytes: number): void;
}

/**
 * Reserves bytes until the response is closed, from the share of the request's workspace, or of its client if it has none.
 * Do not call it for a closed response: nothing would give the bytes back.
 *
 * @throws Refusal `Unavailable` if there is no room
 */
export function reserveUntilClosed(
  budget: Pick<ByteBudget, 'reserve' | 'count'>,
  { response }: { readonly response: Response },
  bytes: number,
): Reservation {
  const { caller } = contextOf(response);
  const owner =
    caller === undefined
      ? { client: clientKey(response.req as Request, null) }
      : { workspaceId: caller.workspaceId };
  const giveBack = budget.reserve(owner, bytes);
  response.once('close', giveBack);
  return {
    reduceTo(kept) {
      if (response.closed) return;
      response.off('close', giveBack);
      giveBack();
      response.once('close', budget.count(owner, kept));
    },
  };
}
