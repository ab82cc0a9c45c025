import { type AuditEvent, SYSTEM } from '@postrider/shared/domain/audit-event';
import { asId, derivedId } from '@postrider/shared/domain/id';
import type { Collections } from '@postrider/shared/mongo/collections';
import { toDocument } from '@postrider/shared/mongo/documents';

interface Rotation {
  /** The key that secrets are encrypted with from now on. */
  readonly keyId: string;
  readonly at: Date;
}

/** Records a rotation of the encryption key in the audit logs of workspaces, once in each. */
export function createRotationRecorder(
  { auditEvents }: Pick<Collections, 'auditEvents'>,
  rotation: Rotation,
): (workspaceIds: ReadonlySet<string>) => Promise<void> {
  return async (workspaceIds) => {
    if (workspaceIds.size === 0) return;
    const upserts = [...workspaceIds].map((workspaceId) => {
      const { _id, ...fresh } = toDocument(entryOf(workspaceId, rotation));
      return { updateOne: { filter: { _id }, update: { $setOnInsert: fresh }, upsert: true } };
    });
    await auditEvents.bulkWrite(upserts, { ordered: false });
  };
}

function entryOf(workspaceId: string, { keyId, at }: Rotation): AuditEvent {
  return {
    id: derivedId('audit', at, `rotation to ${keyId} in ${workspaceId}`),
    workspaceId: asId('workspace', workspaceId),
    action: 'workspace.encryption_key_rotated',
    actor: SYSTEM,
    target: { type: 'workspace', id: workspaceId },
    metadata: { keyId },
    createdAt: at,
    streak: null,
    source: null,
  };
}
