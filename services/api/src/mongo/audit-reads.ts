import type { AuditEvent } from '@postrider/shared/domain/audit-event';
import type { Collections, Document } from '@postrider/shared/mongo/collections';
import { fromDocument } from '@postrider/shared/mongo/documents';
import type { Filter } from 'mongodb';
import type { AuditReads, AuditSlice } from '../ports/reads.js';
import { findNewestFirst } from './find-newest-first.js';

export function createAuditReads({ auditEvents }: Pick<Collections, 'auditEvents'>): AuditReads {
  return {
    async list(workspaceId, slice) {
      const rows = await findNewestFirst(auditEvents, { workspaceId, ...filterOf(slice) }, slice);
      return rows.map(fromAuditDocument);
    },
  };
}

/** Audit events of older versions have no source. */
function fromAuditDocument(document: Document<AuditEvent>): AuditEvent {
  return fromDocument<AuditEvent>({ ...document, source: document.source ?? null });
}

function filterOf(slice: AuditSlice): Filter<Document<AuditEvent>> {
  const { actions, actorId, targetId, createdAfter, createdBefore } = slice;
  const span = { ...(createdAfter && { $gt: createdAfter }), ...(createdBefore && { $lt: createdBefore }) };
  return {
    ...(actions !== null && { action: { $in: [...actions] } }),
    ...(actorId !== null && { 'actor.id': actorId }),
    ...(targetId !== null && { 'target.id': targetId }),
    ...(Object.keys(span).length > 0 && { createdAt: span }),
  };
}
