import type { Request, Response } from 'express';
import { clientKey } from '../rate-limits/client-key.js';
import type { BodyBudget } from './body-budget.js';
import { contextOf } from './request-context.js';

/**
 * Reserves bytes until the response is closed, from the share of the request's workspace, or of its client if there is none.
 * Do not call it for a closed response: nothing would give the bytes back.
 *
 * @throws Refusal `Unavailable` if there is no room
 */
export function reserveUntilClosed(
  budget: Pick<BodyBudget, 'reserve'>,
  { request, response }: { readonly request: Request; readonly response: Response },
  bytes: number,
): void {
  const owner = contextOf(response).caller?.workspaceId ?? clientKey(request, null);
  response.once('close', budget.reserve(owner, bytes));
}
