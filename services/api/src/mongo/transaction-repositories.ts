import type { Delivery } from '@postrider/shared/domain/delivery';
import type { Invitation } from '@postrider/shared/domain/invitation';
import type { Member } from '@postrider/shared/domain/member';
import type { Workspace } from '@postrider/shared/domain/workspace';
import type { Collections, Document } from '@postrider/shared/mongo/collections';
import {
  fromDeliveryDocument,
  fromDocument,
  toDeliveryDocument,
  toDocument,
} from '@postrider/shared/mongo/documents';
import type {
  ClientSession,
  Collection,
  Filter,
  MatchKeysAndValues,
  OptionalUnlessRequiredId,
} from 'mongodb';
import type { Repository, Transaction } from '../ports/unit-of-work.js';

/** Repositories that read and write within one transaction. */
export function createTransactionRepositories(collections: Collections, session: ClientSession): Transaction {
  return {
    workspaces: workspacesIn(collections, session),
    members: membersIn(collections, session),
    invitations: invitationsIn(collections, session),
    tokens: repositoryOf(collections.apiTokens, session),
    endpoints: repositoryOf(collections.endpoints, session),
    storedResults: storedResultsIn(collections, session),
    deliveries: deliveriesIn(collections, session),
  };
}

function storedResultsIn(
  { idempotencyKeys }: Collections,
  session: ClientSession,
): Transaction['storedResults'] {
  return {
    async removeSecretsOf(endpointId) {
      await idempotencyKeys.deleteMany({ secretOf: endpointId }, { session });
    },
  };
}

interface WorkspaceRow {
  readonly id: string;
  readonly workspaceId: string;
}

function repositoryOf<T extends WorkspaceRow>(
  collection: Collection<Document<T>>,
  session: ClientSession,
): Repository<T> {
  return {
    async find(workspaceId, id) {
      const found = await collection.findOne({ _id: id, workspaceId } as Filter<Document<T>>, { session });
      return found && fromDocument<T>(found as Document<T>);
    },
    async insert(row) {
      await collection.insertOne(toDocument(row) as OptionalUnlessRequiredId<Document<T>>, { session });
    },
    async save(row) {
      const { _id, ...fields } = toDocument(row);
      const $set = fields as MatchKeysAndValues<Document<T>>;
      await collection.updateOne({ _id } as Filter<Document<T>>, { $set }, { session });
    },
  };
}

function workspacesIn({ workspaces }: Collections, session: ClientSession): Transaction['workspaces'] {
  return {
    async find(id) {
      const found = await workspaces.findOne({ _id: id }, { session, projection: { guard: 0 } });
      return found && fromDocument<Workspace>(found);
    },
    async insert(workspace) {
      await workspaces.insertOne({ ...toDocument(workspace), guard: 0 }, { session });
    },
    async save(workspace) {
      const { _id, ...fields } = toDocument(workspace);
      await workspaces.updateOne({ _id }, { $set: fields }, { session });
    },
    async guard(id) {
      await workspaces.updateOne({ _id: id }, { $inc: { guard: 1 } }, { session });
    },
  };
}

function membersIn({ members }: Collections, session: ClientSession): Transaction['members'] {
  return {
    ...repositoryOf<Member>(members, session),
    async findByEmail(workspaceId, email) {
      const found = await members.findOne({ workspaceId, email }, { session });
      return found && fromDocument<Member>(found);
    },
    async hasOtherOwner(workspaceId, memberId) {
      const filter = { workspaceId, role: 'owner', _id: { $ne: memberId } } as const;
      return (await members.findOne(filter, { session, projection: { _id: 1 } })) !== null;
    },
    async remove({ id, workspaceId }) {
      await members.deleteOne({ _id: id, workspaceId }, { session });
    },
  };
}

function invitationsIn({ invitations }: Collections, session: ClientSession): Transaction['invitations'] {
  return {
    ...repositoryOf<Invitation>(invitations, session),
    async findPending(workspaceId, email) {
      const found = await invitations.findOne({ workspaceId, email, state: 'pending' }, { session });
      return found && fromDocument<Invitation>(found);
    },
  };
}

function deliveriesIn({ deliveries }: Collections, session: ClientSession): Transaction['deliveries'] {
  return {
    async find(workspaceId, id): Promise<Delivery | null> {
      const found = await deliveries.findOne(
        { _id: id, workspaceId },
        { session, projection: { records: 0 } },
      );
      return found && fromDeliveryDocument(found);
    },
    async insert(delivery) {
      await deliveries.insertOne(toDeliveryDocument(delivery), { session });
    },
  };
}
