import type { Response } from 'express';
import type { ByteBudget } from './byte-budget.js';
import { contextOf } from './request-context.js';

/** Requests without a workspace share one limit: strangers have many addresses, and would take the room of all workspaces. */
const NO_WORKSPACE = 'no workspace';

/**
 * Reserves bytes until the response is closed, from the share of the request's workspace, or of all requests without one.
 * Do not call it for a closed response: nothing would give the bytes back.
 *
 * @throws Refusal `Unavailable` if there is no room
 */
export function reserveUntilClosed(
  budget: Pick<ByteBudget, 'reserve'>,
  { response }: { readonly response: Response },
  bytes: number,
): void {
  const owner = contextOf(response).caller?.workspaceId ?? NO_WORKSPACE;
  response.once('close', budget.reserve(owner, bytes));
}
