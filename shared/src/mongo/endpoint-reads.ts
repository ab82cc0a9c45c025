import type { Endpoint } from '../domain/endpoint.js';
import type { EndpointReads } from '../ports/endpoint-reads.js';
import type { Collections } from './collections.js';
import { fromDocument } from './documents.js';
import { forwardOnId } from './list-reads.js';

export function endpointReads({ endpoints }: Pick<Collections, 'endpoints'>): EndpointReads {
  return {
    ...forwardOnId<Endpoint>(endpoints, { deletedAt: null }),
    async find(workspaceId, id) {
      const found = await endpoints.findOne({ _id: id, workspaceId });
      return found && fromDocument<Endpoint>(found);
    },
    async count(workspaceId) {
      const [enabled, disabled] = await Promise.all(
        [true, false].map((flag) =>
          endpoints.countDocuments({ workspaceId, deletedAt: null, enabled: flag }),
        ),
      );
      return { enabled: enabled ?? 0, disabled: disabled ?? 0 };
    },
  };
}
