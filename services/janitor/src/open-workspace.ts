import type { EndpointId, WorkspaceId } from '@postrider/shared/domain/id';
import type {
  HourSpan,
  RecountPosition,
  StoredHours,
  Tally,
  UnfinishedEndpoint,
} from '@postrider/shared/ports/delivery-stats';

/** A workspace whose endpoints are not all done. */
export interface OpenWorkspace {
  readonly id: WorkspaceId;
  readonly span: HourSpan;
  /** Of the endpoints that are done. */
  readonly tally: Tally;
  /** The last endpoint that is done. */
  last: EndpointId | null;
  /** The endpoint whose rows are not all counted. */
  endpoint: UnfinishedEndpoint | null;
}

export function begun(id: WorkspaceId, span: HourSpan, stored: StoredHours): OpenWorkspace {
  return { id, span, tally: { stored, counted: new Map() }, last: null, endpoint: null };
}

/** Hours whose deliveries may have been removed meanwhile are not compared. */
export function resumed(position: RecountPosition, kept: Date): OpenWorkspace | null {
  const { workspaceId, endpointId, unfinished } = position;
  if (unfinished === null) return null;
  const { span, tally, endpoint } = unfinished;
  const from = span.from < kept ? kept : span.from;
  return { id: workspaceId, span: { ...span, from }, tally, last: endpointId, endpoint };
}

export function positionIn({ id, span, tally, last, endpoint }: OpenWorkspace): RecountPosition {
  return { workspaceId: id, endpointId: last, unfinished: { span, tally, endpoint } };
}
