import type { Endpoint, SearchedEndpoint } from '@postrider/shared/domain/endpoint';
import type { Collections, Document } from '@postrider/shared/mongo/collections';
import { type FieldsOf, fromDocument } from '@postrider/shared/mongo/documents';
import { collectInTurns } from '@postrider/shared/runtime/collect-in-turns';
import type { Filter } from 'mongodb';
import { countSubscriptions } from '../domain/endpoint-search.js';
import type { EndpointReads, Slice } from '../ports/reads.js';
import { findAscending } from './list-reads.js';
import { shareReads } from './share-reads.js';

type SearchedFields = Omit<FieldsOf<SearchedEndpoint>, 'subscriptions'>;
const SEARCHED: SearchedFields & { readonly 'subscriptions.eventType': 1 } = {
  url: 1,
  description: 1,
  metadata: 1,
  'subscriptions.eventType': 1,
  enabled: 1,
  disabledReason: 1,
  enabledSince: 1,
  disabledAt: 1,
  consecutiveFailures: 1,
};
/** Endpoints per batch. The names of 500 subscriptions may have 60 KB, and those after the last endpoint needed are useless. */
const SEARCHED_IN_A_BATCH = 50;
/** Subscriptions per turn of the event loop. Decoding one takes 1 to 2 µs. */
const DECODED_AT_ONCE = 2_500;

export function createEndpointReads({ endpoints }: Pick<Collections, 'endpoints'>): EndpointReads {
  const list = (filter: Filter<Document<Endpoint>>, slice: Slice<string>) =>
    inTurns(findAscending(endpoints, filter, slice).map((row) => fromDocument<Endpoint>(row)));
  return {
    list: (workspaceId, slice) => list({ workspaceId, deletedAt: null }, slice),
    listWithDeleted: (workspaceId, { endpointIds, ...slice }) =>
      list({ workspaceId, ...someOf(endpointIds) }, slice),
    async search(workspaceId, { endpointIds, maxSubscriptions, ...slice }) {
      const filter = { workspaceId, deletedAt: null, ...someOf(endpointIds) };
      const found = findAscending(endpoints, filter, slice)
        .project<Document<SearchedEndpoint>>(SEARCHED)
        .batchSize(SEARCHED_IN_A_BATCH)
        .map((row) => fromDocument<SearchedEndpoint>(row));
      const rows = await inTurns(found, maxSubscriptions);
      const isAll = rows.length < slice.limit && countSubscriptions(rows) < maxSubscriptions;
      return { rows, readTo: isAll ? null : (rows.at(-1)?.id ?? null) };
    },
    async find(workspaceId, id) {
      const found = await endpoints.findOne({ _id: id, workspaceId });
      return found && fromDocument<Endpoint>(found);
    },
    findSeveral: (workspaceId, ids) =>
      list({ _id: { $in: [...ids] }, workspaceId, deletedAt: null }, { after: null, limit: ids.length }),
    // Counting index keys takes a third of the time that grouping them does, and 20 ms for 100,000 endpoints.
    count: shareReads(async (workspaceId) => {
      const of = (enabled: boolean) => endpoints.countDocuments({ workspaceId, deletedAt: null, enabled });
      const [enabled, disabled] = await Promise.all([of(true), of(false)]);
      return { enabled, disabled };
    }),
  };
}

/** @param endpointIds null means all */
function someOf(endpointIds: readonly string[] | null): Filter<Document<Endpoint>> {
  return endpointIds === null ? {} : { _id: { $in: [...endpointIds] } };
}

type WithSubscriptions = Pick<SearchedEndpoint, 'subscriptions'>;

/** Yields to the event loop, as 200 endpoints may have 100,000 subscriptions. Ends with the endpoint that reaches `most`. */
function inTurns<T extends WithSubscriptions>(
  endpoints: AsyncIterable<T>,
  most = Number.POSITIVE_INFINITY,
): Promise<T[]> {
  return collectInTurns(endpoints, {
    sizeOf: ({ subscriptions }) => subscriptions.length,
    atOnce: DECODED_AT_ONCE,
    upTo: most,
  });
}
