import { asId, type EndpointId, type WorkspaceId } from '../domain/id.js';
import type { HourSpan, RecountPosition, StoredHours, Tally } from '../ports/delivery-stats.js';
import { type CountsDocument, countsOf, nestedCounts } from './stats-store.js';

/** Versions instead of stored counts: hours that have changed since are not replaced. */
interface TallyDocument {
  readonly versions: readonly { readonly hour: Date; readonly version: number }[];
  readonly counted: readonly CountsDocument[];
}

/** Where the recount stopped. */
export interface PositionDocument {
  readonly _id: 'stats';
  readonly workspaceId: string | null;
  readonly endpointId?: string | null;
  /** Absent if the workspace is done, and in positions of older versions. */
  readonly unfinished?: {
    readonly span: HourSpan;
    readonly tally: TallyDocument;
    readonly endpoint: {
      readonly id: string;
      readonly reached: string;
      readonly tally: TallyDocument;
    } | null;
  };
}

/** Read the counts of an owner as they are stored now. */
interface HoursOf {
  endpoint(id: EndpointId, span: HourSpan): Promise<StoredHours>;
  workspace(id: WorkspaceId, span: HourSpan): Promise<StoredHours>;
}

export function toPosition(position: RecountPosition | null): Omit<PositionDocument, '_id'> {
  if (position === null) return { workspaceId: null };
  const { workspaceId, endpointId, unfinished } = position;
  if (unfinished === null) return { workspaceId, endpointId };
  const { span, tally, endpoint } = unfinished;
  return {
    workspaceId,
    endpointId,
    unfinished: {
      span: { from: span.from, before: span.before },
      tally: toTally(tally),
      endpoint: endpoint && { id: endpoint.id, reached: endpoint.reached, tally: toTally(endpoint.tally) },
    },
  };
}

/** @returns null for a position within a workspace that lacks the counts so far, as older versions stored it */
export async function fromPosition(
  { workspaceId, endpointId = null, unfinished }: PositionDocument,
  hoursOf: HoursOf,
): Promise<RecountPosition | null> {
  if (workspaceId === null) return null;
  const workspace = asId('workspace', workspaceId);
  if (unfinished === undefined)
    return endpointId === null ? { workspaceId: workspace, endpointId, unfinished: null } : null;
  const { span, tally, endpoint } = unfinished;
  return {
    workspaceId: workspace,
    endpointId: endpointId === null ? null : asId('endpoint', endpointId),
    unfinished: {
      span,
      tally: fromTally(tally, await hoursOf.workspace(workspace, span)),
      endpoint: endpoint && {
        id: asId('endpoint', endpoint.id),
        reached: endpoint.reached,
        tally: fromTally(endpoint.tally, await hoursOf.endpoint(asId('endpoint', endpoint.id), span)),
      },
    },
  };
}

function toTally({ stored, counted }: Tally): TallyDocument {
  return {
    versions: [...stored.values()].map(({ hour, version }) => ({ hour, version })),
    counted: [...counted.values()].map(({ hour, fields }) => ({ hour, ...nestedCounts(fields) })),
  };
}

/** The hours as they were stored when counting began, with that version: a write finds none that has changed since. */
function fromTally({ versions, counted }: TallyDocument, now: StoredHours): Tally {
  return {
    stored: new Map(
      versions.map(({ hour, version }) => {
        const fields = now.get(hour.getTime())?.fields ?? new Map<string, number>();
        return [hour.getTime(), { hour, fields, version }];
      }),
    ),
    counted: new Map(counted.map((hour) => [hour.hour.getTime(), countsOf(hour)])),
  };
}
