import { SYSTEM } from '@postrider/shared/domain/audit-event';
import type { Delivery } from '@postrider/shared/domain/delivery';
import type { Endpoint } from '@postrider/shared/domain/endpoint';
import { asId, firstIdAt } from '@postrider/shared/domain/id';
import type { Invitation } from '@postrider/shared/domain/invitation';
import type { Member } from '@postrider/shared/domain/member';
import type { Workspace } from '@postrider/shared/domain/workspace';
import type { Collections } from '@postrider/shared/mongo/collections';
import { insertCheck } from '@postrider/shared/mongo/conformance-check-documents';
import {
  fromDeliveryDocument,
  fromDocument,
  toDocument,
  toNewDeliveryDocument,
} from '@postrider/shared/mongo/documents';
import {
  claimSources,
  fromReplayJobDocument,
  insertReplayJob,
  updateOfReplayJob,
} from '@postrider/shared/mongo/replay-job-documents';
import type { Clock } from '@postrider/shared/ports/clock';
import type { ClientSession } from 'mongodb';
import type { Transaction } from '../ports/unit-of-work.js';
import { BY_WORKSPACE } from './list-reads.js';
import { repositoryOf } from './repository.js';
import { tokensIn } from './token-repository.js';

/** Repositories that read and write within one transaction. */
export function createTransactionRepositories(
  collections: Collections,
  session: ClientSession,
  clock: Clock,
): Transaction {
  return {
    workspaces: workspacesIn(collections, session),
    members: membersIn(collections, session),
    invitations: invitationsIn(collections, session),
    tokens: tokensIn(collections, session),
    portalLinks: repositoryOf(collections.portalLinks, session),
    endpoints: endpointsIn(collections, session),
    storedResults: storedResultsIn(collections, session),
    deliveries: deliveriesIn(collections, session, clock),
    replayJobs: replayJobsIn(collections, session),
    conformanceChecks: conformanceChecksIn(collections, session),
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
    countStored: (ids) => endpoints.countDocuments({ _id: { $in: [...ids] } }, { session }),
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

function deliveriesIn(
  collections: Collections,
  session: ClientSession,
  clock: Clock,
): Transaction['deliveries'] {
  const { deliveries } = collections;
  return {
    async find(workspaceId, id): Promise<Delivery | null> {
      const found = await deliveries.findOne(
        { _id: id, workspaceId },
        { session, projection: { records: 0 } },
      );
      return found && fromDeliveryDocument(found);
    },
    async insert(delivery) {
      const { id, replayedFrom } = delivery;
      const replays = replayedFrom === null ? [] : [{ sourceId: replayedFrom, replayId: id }];
      await claimSources(collections, replays, { now: clock.now(), session });
      await deliveries.insertOne(toNewDeliveryDocument(delivery), { session });
    },
  };
}

function replayJobsIn(collections: Collections, session: ClientSession): Transaction['replayJobs'] {
  const { replayJobs } = collections;
  return {
    async find(workspaceId, id) {
      const found = await replayJobs.findOne({ _id: id, workspaceId }, { session });
      return found && fromReplayJobDocument(found);
    },
    insert: (job) => insertReplayJob(collections, job, session),
    async save(job) {
      await replayJobs.updateOne({ _id: job.id }, updateOfReplayJob(job), { session });
    },
    countActive: (workspaceId) =>
      replayJobs.countDocuments(
        { workspaceId, leaseUntil: { $exists: true }, 'actor.type': { $ne: SYSTEM.type } },
        { session },
      ),
    countStored: (ids) => replayJobs.countDocuments({ _id: { $in: [...ids] } }, { session }),
  };
}

function conformanceChecksIn(
  collections: Collections,
  session: ClientSession,
): Transaction['conformanceChecks'] {
  return {
    insert: (check) => insertCheck(collections, check, session),
    async startedSince(workspaceId, since) {
      const filter = { workspaceId, _id: { $gte: firstIdAt('conformanceCheck', since) } };
      const projection = { endpointId: 1, startedAt: 1 } as const;
      const found = collections.conformanceChecks
        .find(filter, { session, projection, hint: BY_WORKSPACE })
        .sort({ _id: 1 });
      return found
        .map(({ _id, endpointId, startedAt }) => {
          return { id: asId('conformanceCheck', _id), endpointId: asId('endpoint', endpointId), startedAt };
        })
        .toArray();
    },
  };
}
