import { AUDIT_ACTIONS } from '@postrider/shared/domain/audit-event';
import type { AuditEvent, AuditFilter } from '../contract/audit-event.js';
import type { Page } from '../contract/page.js';
import { showAuditEvent } from '../views/audit-event.js';
import type { Call } from './call.js';
import type { Deps } from './deps.js';
import { pageNewestFirst } from './read-page.js';
import { readSeveral } from './read-several.js';
import { refuseTimes } from './refuse-times.js';

/** Lists audit events, newest first. All filters must match. */
export function listAuditEvents({ auditEvents }: Pick<Deps, 'auditEvents'>) {
  return async ({ workspace }: Call, filter: AuditFilter): Promise<Page<AuditEvent>> => {
    const { action, actorId = null, targetId = null, createdAfter = null, createdBefore = null } = filter;
    refuseTimes(filter);
    const actions = action === undefined ? null : readSeveral('action', action, AUDIT_ACTIONS);
    const criteria = { actions, actorId, targetId, createdAfter, createdBefore };
    return pageNewestFirst({
      list: `audit-events ${workspace.id}`,
      request: filter,
      read: (slice) => auditEvents.list(workspace.id, { ...criteria, ...slice }),
      show: showAuditEvent,
    });
  };
}
