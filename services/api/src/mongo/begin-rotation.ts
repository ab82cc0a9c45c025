import { type AuditEvent, SYSTEM } from '@postrider/shared/domain/audit-event';
import { asId, derivedId } from '@postrider/shared/domain/id';
import type { Database } from '@postrider/shared/mongo/connect';
import { toDocument } from '@postrider/shared/mongo/documents';

/** A rotation of the encryption key in progress. It may take several runs of the command. */
export interface Rotation {
  /** Records the rotation in the audit logs of workspaces, once in each, regardless of the number of runs. */
  record(workspaceIds: ReadonlySet<string>): Promise<void>;
  /** Ends the rotation, once nothing is encrypted with another key. A later run begins a new one. */
  end(): Promise<void>;
}

interface RotationDocument {
  readonly _id: 'key_rotation';
  readonly keyId: string;
  readonly startedAt: Date;
}

interface RotationStart {
  /** The key that secrets are encrypted with from now on. */
  readonly keyId: string;
  readonly at: Date;
}

/** Begins a rotation, or continues one to the same key that was interrupted. */
export async function beginRotation(
  { db, collections }: Pick<Database, 'db' | 'collections'>,
  { keyId, at }: RotationStart,
): Promise<Rotation> {
  const rotations = db.collection<RotationDocument>('meta');
  const isSame = { $eq: ['$keyId', { $literal: keyId }] };
  const begun = { keyId: { $literal: keyId }, startedAt: { $cond: [isSame, '$startedAt', at] } };
  const options = { upsert: true, returnDocument: 'after' } as const;
  const rotation = await rotations.findOneAndUpdate({ _id: 'key_rotation' }, [{ $set: begun }], options);
  const startedAt = rotation?.startedAt ?? at;
  return {
    async record(workspaceIds) {
      if (workspaceIds.size === 0) return;
      const upserts = [...workspaceIds].map((workspaceId) => {
        const { _id, ...fresh } = toDocument(entryOf(workspaceId, { keyId, at: startedAt }));
        return { updateOne: { filter: { _id }, update: { $setOnInsert: fresh }, upsert: true } };
      });
      await collections.auditEvents.bulkWrite(upserts, { ordered: false });
    },
    async end() {
      await rotations.deleteOne({ _id: 'key_rotation', keyId });
    },
  };
}

function entryOf(workspaceId: string, { keyId, at }: RotationStart): AuditEvent {
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
