import type { Request, Response } from 'express';
import { clientKey } from '../rate-limits/client-key.js';
import { contextOf } from './request-context.js';

/** Whose share of a budget the bodies of a request use: that of its workspace, or of its client where there is none. */
export function bodyOwner(request: Request, response: Response): string {
  return contextOf(response).caller?.workspaceId ?? clientKey(request, null);
}
