import type { Endpoint } from '@postrider/shared/domain/endpoint';
import type { ForwardOnId } from './list-reads.js';

/** Reads of webhook endpoints. The list and the counts leave deleted ones out. */
export interface EndpointReads extends ForwardOnId<Endpoint> {
  /** Deleted ones are found, too: their deliveries stay readable. */
  find(workspaceId: string, id: string): Promise<Endpoint | null>;
  count(workspaceId: string): Promise<{ readonly enabled: number; readonly disabled: number }>;
}
