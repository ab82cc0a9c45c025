import { eventKey } from '@postrider/shared/domain/event-key';
import type { Invitation } from '@postrider/shared/domain/invitation';
import type { ListedPortalLink, PortalLink } from '@postrider/shared/domain/portal-link';
import type { ReplayJob } from '@postrider/shared/domain/replay-job';
import type { Collections, Document, ReplayJobDocument } from '@postrider/shared/mongo/collections';
import { fromCheckDocument } from '@postrider/shared/mongo/conformance-check-documents';
import type { Database } from '@postrider/shared/mongo/connect';
import { fromDocument } from '@postrider/shared/mongo/documents';
import { fromReplayJobDocument } from '@postrider/shared/mongo/replay-job-documents';
import { fromTokenDocument } from '@postrider/shared/mongo/token-document';
import type { Collection, Filter, FindCursor, WithId } from 'mongodb';
import type {
  AscendingById,
  ConformanceCheckReads,
  InvitationReads,
  NewestFirst,
  ReplayJobReads,
  Slice,
  TokenReads,
  UnmatchedEventReads,
} from '../ports/reads.js';
import { createBoundedRead, MAX_ROWS_READ } from './bounded-read.js';
import { findNewestFirst, following, NEWEST_FIRST } from './find-newest-first.js';

interface WorkspaceRow {
  readonly id: string;
  readonly workspaceId: string;
}

/** Reads a collection newest first; requires the index `{workspaceId, createdAt, _id}`, the last two descending. */
export function createNewestFirst<T extends WorkspaceRow & { readonly createdAt: Date }>(
  collection: Collection<Document<T>>,
): NewestFirst<T> {
  return {
    list: async (workspaceId, slice) =>
      (await findNewestFirst(collection, { workspaceId } as Filter<Document<T>>, slice)).map((row) =>
        fromDocument<T>(row as Document<T>),
      ),
  };
}

export function createTokenReads({ apiTokens }: Pick<Collections, 'apiTokens'>): TokenReads {
  return {
    async findNow(workspaceId, id) {
      const found = await apiTokens.findOne({ _id: id, workspaceId });
      return found && fromTokenDocument(found);
    },
    list: async (workspaceId, slice) =>
      (await findNewestFirst(apiTokens, { workspaceId }, slice)).map(fromTokenDocument),
  };
}

/** The database might choose the index of `_id`, which has the rows of all workspaces. */
export const BY_WORKSPACE = { workspaceId: 1, _id: 1 } as const;

/** Finds part of a list of a workspace in ascending order of ids; requires the index `{workspaceId, _id}`. */
export function findAscending<Row extends { readonly _id: string }>(
  collection: Collection<Row>,
  filter: Filter<Row>,
  { after, limit }: Slice<string>,
): FindCursor<WithId<Row>> {
  const page = after === null ? filter : { $and: [filter, { _id: { $gt: after } }] };
  return collection
    .find(page as Filter<Row>, { hint: BY_WORKSPACE })
    .sort({ _id: 1 })
    .limit(limit);
}

/** Reads a collection in ascending order of ids; requires the index `{workspaceId, _id}`. */
export function createAscendingById<T extends WorkspaceRow>(
  collection: Collection<Document<T>>,
): AscendingById<T> {
  return {
    async list(workspaceId, slice) {
      const rows = await findAscending(collection, { workspaceId } as Filter<Document<T>>, slice).toArray();
      return rows.map((row) => fromDocument<T>(row as Document<T>));
    },
  };
}

export function createUnmatchedEventReads({
  unmatchedEvents,
}: Pick<Collections, 'unmatchedEvents'>): UnmatchedEventReads {
  return {
    async find(workspaceId, eventId) {
      const keys = [eventKey({ eventId, workspaceId }), eventId];
      const found = await unmatchedEvents.findOne({ _id: { $in: keys }, workspaceId });
      if (found === null) return null;
      const { _id, ...facts } = found;
      return { eventId, ...facts };
    },
  };
}

interface ReplayJobDatabase {
  readonly client: Database['client'];
  readonly collections: Pick<Collections, 'replayJobs'>;
}

export function createReplayJobReads(
  { client, collections: { replayJobs } }: ReplayJobDatabase,
  maxRowsRead = MAX_ROWS_READ,
): ReplayJobReads {
  const read = createBoundedRead({ client, collection: replayJobs, sort: NEWEST_FIRST, maxRowsRead });
  return {
    // The fields of the lease are no part of a job, and no reader needs them.
    ...createNewestFirst<ReplayJob>(replayJobs as unknown as Collection<Document<ReplayJob>>),
    async find(workspaceId, id) {
      const found = await replayJobs.findOne({ _id: id, workspaceId });
      return found && fromReplayJobDocument(found);
    },
    async listOf(workspaceId, endpointIds, slice) {
      const { after, limit } = slice;
      // An index of endpoints would cost every job, for callers that are limited to some.
      const { rows, bound } = await read({
        indexed: following<ReplayJobDocument>({ workspaceId }, after),
        others: { 'filter.endpointId': { $in: [...endpointIds] } },
        limit,
        stages: [],
      });
      const readTo = bound && { createdAt: bound.createdAt, id: bound._id };
      return { rows: rows.map(fromReplayJobDocument), readTo };
    },
  };
}

export function createConformanceCheckReads({
  conformanceChecks,
}: Pick<Collections, 'conformanceChecks'>): ConformanceCheckReads {
  return {
    async find(workspaceId, id) {
      const found = await conformanceChecks.findOne({ _id: id, workspaceId });
      return found && fromCheckDocument(found);
    },
  };
}

export function createInvitationReads({ invitations }: Pick<Collections, 'invitations'>): InvitationReads {
  return {
    ...createNewestFirst<Invitation>(invitations),
    async find(workspaceId, id) {
      const found = await invitations.findOne({ _id: id, workspaceId });
      return found && fromDocument<Invitation>(found);
    },
  };
}

export function createPortalLinkReads({
  portalLinks,
  apiTokens,
}: Pick<Collections, 'portalLinks' | 'apiTokens'>): NewestFirst<ListedPortalLink> {
  const links = createNewestFirst<PortalLink>(portalLinks);
  return {
    async list(workspaceId, slice) {
      const found = await links.list(workspaceId, slice);
      const creatorIds = [...new Set(found.map(({ makerId }) => makerId))];
      const creators = await apiTokens
        .find({ _id: { $in: creatorIds } }, { projection: { revokedAt: 1 } })
        .toArray();
      const valid = new Set(creators.flatMap(({ _id, revokedAt }) => (revokedAt === null ? [_id] : [])));
      return found.map((link) => ({ ...link, isCreatorRevoked: !valid.has(link.makerId) }));
    },
  };
}
