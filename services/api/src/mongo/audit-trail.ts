import type { Collections } from '@postrider/shared/mongo/collections';
import { toDocument } from '@postrider/shared/mongo/documents';
import type { AuditTrail } from '../ports/audit-trail.js';

export function createAuditTrail({ auditEvents }: Pick<Collections, 'auditEvents'>): AuditTrail {
  return {
    async recordOnce(event) {
      const { _id, ...fields } = toDocument(event);
      await auditEvents.updateOne({ _id }, { $setOnInsert: fields }, { upsert: true });
    },
  };
}
