import type { Delivery } from '@postrider/shared/domain/delivery';
import type { Endpoint } from '@postrider/shared/domain/endpoint';
import type { Invitation } from '@postrider/shared/domain/invitation';
import type { Member } from '@postrider/shared/domain/member';
import type { Workspace } from '@postrider/shared/domain/workspace';
import type { Collections } from '@postrider/shared/mongo/collections';
import {
  fromDeliveryDocument,
  fromDocument,
  toDeliveryDocument,
  toDocument,
} from '@postrider/shared/mongo/documents';
import type { ClientSession } from 'mongodb';
import type { Transaction } from '../ports/unit-of-work.js';
import { repositoryOf } from './repository.js';
import { tokensIn } from './token-repository.js';

/** Repositories that read and write within one transaction. */
export function createTransactionRepositories(collections: Collections, session: ClientSession): Transaction {
  return {
    workspaces: workspacesIn(collections, session),
    members: membersIn(collections, session),
    invitations: invitationsIn(collections, session),
    tokens: tokensIn(collections, session),
    endpoints: endpointsIn(collections, session),
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

function workspacesIn({ workspaces }: Collections, session: ClientSession): Transaction['workspaces'] {
  return {
    async find(id) {
      const found = await workspaces.findOne({ _id: id }, { session, projection: { guard: 0, quotas: 0 } });
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
    async ownQuotas(id) {
      const found = await workspaces.findOne({ _id: id }, { session, projection: { quotas: 1 } });
      return found?.quotas ?? {};
    },
    async setOwnQuotas(id, quotas) {
      await workspaces.updateOne({ _id: id }, { $set: { quotas } }, { session });
    },
  };
}

function endpointsIn({ endpoints }: Collections, session: ClientSession): Transaction['endpoints'] {
  return {
    ...repositoryOf<Endpoint>(endpoints, session),
    countLive: (workspaceId, _now, atMost) =>
      endpoints.countDocuments({ workspaceId, deletedAt: null }, { session, limit: atMost }),
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
