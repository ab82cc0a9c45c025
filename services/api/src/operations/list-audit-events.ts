import type * as wire from '../contract/audit-event.js';
import type { Page, PageRequest } from '../contract/page.js';
import { showAuditEvent } from '../views/audit-event.js';
import type { Call } from './call.js';
import type { Deps } from './deps.js';
import { pageNewestFirst } from './read-page.js';

export function listAuditEvents({ auditEvents }: Pick<Deps, 'auditEvents'>) {
  return ({ workspace }: Call, request: PageRequest): Promise<Page<wire.AuditEvent>> =>
    pageNewestFirst({
      list: `audit-events ${workspace.id}`,
      request,
      read: (slice) => auditEvents.list(workspace.id, slice),
      show: showAuditEvent,
    });
}
