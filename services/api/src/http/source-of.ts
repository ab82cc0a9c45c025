import type { AuditSource } from '@postrider/shared/domain/audit-event';
import type { Request } from 'express';
import { clientAddress } from '../rate-limits/client-key.js';

const MAX_USER_AGENT_LENGTH = 200;

/** Where a request came from, for audit entries. */
export function sourceOf(request: Request, traceId: string): AuditSource {
  const userAgent = request.get('user-agent')?.slice(0, MAX_USER_AGENT_LENGTH) || null;
  return { address: clientAddress(request) || null, userAgent, traceId };
}
