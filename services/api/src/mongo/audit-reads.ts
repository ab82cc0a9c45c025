import type { AuditEvent } from '@postrider/shared/domain/audit-event';
import type { Collections, Document } from '@postrider/shared/mongo/collections';
import type { Database } from '@postrider/shared/mongo/connect';
import { fromDocument } from '@postrider/shared/mongo/documents';
import type { Filter } from 'mongodb';
import type { AuditReads, AuditSlice } from '../ports/reads.js';
import { createBoundedRead, MAX_ROWS_READ, type TwoPartQuery } from './bounded-read.js';
import { following, NEWEST_FIRST } from './find-newest-first.js';

type AuditFilter = Filter<Document<AuditEvent>>;

interface AuditDatabase {
  readonly client: Database['client'];
  readonly collections: Pick<Collections, 'auditEvents'>;
}

export function createAuditReads(
  { client, collections: { auditEvents } }: AuditDatabase,
  maxRowsRead = MAX_ROWS_READ,
): AuditReads {
  const read = createBoundedRead({ client, collection: auditEvents, sort: NEWEST_FIRST, maxRowsRead });
  return {
    async list(workspaceId, slice) {
      const query = auditQuery(workspaceId, slice);
      const { rows, bound } = await read({ ...query, limit: slice.limit, stages: [] });
      const readTo = bound && { createdAt: bound.createdAt, id: bound._id };
      return { rows: rows.map(fromAuditDocument), readTo };
    },
  };
}

/** Audit events of older versions have no source. */
function fromAuditDocument(document: Document<AuditEvent>): AuditEvent {
  return fromDocument<AuditEvent>({ ...document, source: document.source ?? null });
}

/** Only one filter is served by an index: usually the one that leaves the fewest rows. */
function auditQuery(workspaceId: string, slice: AuditSlice): TwoPartQuery<Document<AuditEvent>> {
  const { actions, actorId, targetId, createdAfter, createdBefore } = slice;
  const filters: readonly AuditFilter[] = [
    ...(targetId === null ? [] : [{ 'target.id': targetId }]),
    ...(actorId === null ? [] : [{ 'actor.id': actorId }]),
    ...(actions === null ? [] : [{ action: { $in: [...actions] } }]),
  ];
  const [first = {}, ...others] = filters;
  const span = { ...(createdAfter && { $gt: createdAfter }), ...(createdBefore && { $lt: createdBefore }) };
  const dates = Object.keys(span).length > 0 ? { createdAt: span } : {};
  return {
    indexed: following<Document<AuditEvent>>({ workspaceId, ...first, ...dates }, slice.after),
    others: others.length === 0 ? null : { $and: others },
  };
}
