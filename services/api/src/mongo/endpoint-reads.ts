import type { Endpoint } from '@postrider/shared/domain/endpoint';
import type { Collections } from '@postrider/shared/mongo/collections';
import { fromDocument } from '@postrider/shared/mongo/documents';
import type { EndpointReads } from '../ports/endpoint-reads.js';
import { forwardOnId } from './list-reads.js';

export function endpointReads({ endpoints }: Pick<Collections, 'endpoints'>): EndpointReads {
  return {
    ...forwardOnId<Endpoint>(endpoints, { deletedAt: null }),
    async find(workspaceId, id) {
      const found = await endpoints.findOne({ _id: id, workspaceId });
      return found && fromDocument<Endpoint>(found);
    },
    async count(workspaceId) {
      const groups = await endpoints
        .aggregate<{ _id: boolean; count: number }>([
          { $match: { workspaceId, deletedAt: null } },
          { $group: { _id: '$enabled', count: { $sum: 1 } } },
        ])
        .toArray();
      const of = (enabled: boolean) => groups.find(({ _id }) => _id === enabled)?.count ?? 0;
      return { enabled: of(true), disabled: of(false) };
    },
  };
}
