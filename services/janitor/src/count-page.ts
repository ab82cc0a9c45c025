import { type EndpointId, firstIdAt } from '@postrider/shared/domain/id';
import { addHours } from '@postrider/shared/domain/stat-hours';
import type { CountedRows, RowSlice, StoredHours, Tally } from '@postrider/shared/ports/delivery-stats';
import { createdFrom } from './closed-hours.js';
import type { OpenWorkspace } from './open-workspace.js';

/** Number of rows read between two checks of the time. */
const ROWS_OF_A_SLICE = 10_000;

/** The counts of some endpoints of a workspace, taken slice by slice. */
export interface PageCount {
  /** The rows to count next; null if all endpoints are done. */
  next(): RowSlice | null;
  /** Adds the rows of that slice. @returns the counts of the endpoints that are done with it */
  add(rows: CountedRows): ReadonlyMap<EndpointId, Tally>;
}

export function createPageCount(
  open: OpenWorkspace,
  endpointIds: readonly EndpointId[],
  stored: ReadonlyMap<EndpointId, StoredHours>,
): PageCount {
  const tallies = new Map<EndpointId, Tally>();
  const tallyOf = (id: EndpointId): Tally => {
    const tally = tallies.get(id) ?? { stored: stored.get(id) ?? new Map(), counted: new Map() };
    tallies.set(id, tally);
    return tally;
  };
  let left = endpointIds;
  // The endpoint in which the last run stopped may have been deleted since.
  if (open.endpoint !== null && open.endpoint.id !== endpointIds[0]) open.endpoint = null;
  if (open.endpoint !== null) tallies.set(open.endpoint.id, open.endpoint.tally);
  return {
    next() {
      if (left.length === 0) return null;
      const { endpoint } = open;
      return {
        endpointIds: endpoint === null ? left : [endpoint.id],
        after: endpoint?.reached ?? firstIdAt('delivery', createdFrom(open.span)),
        limit: ROWS_OF_A_SLICE,
      };
    },
    add({ counted, last }) {
      for (const [id, hours] of counted) addHours(tallyOf(id).counted, hours);
      const asked = open.endpoint === null ? left.length : 1;
      const count = last === null ? asked : left.indexOf(last.endpointId);
      const done = left.slice(0, count);
      left = left.slice(count);
      for (const id of done) addHours(open.tally.counted, tallyOf(id).counted);
      open.last = done.at(-1) ?? open.last;
      open.endpoint = last && {
        id: last.endpointId,
        reached: last.deliveryId,
        tally: tallyOf(last.endpointId),
      };
      return new Map(done.map((id) => [id, tallyOf(id)]));
    },
  };
}
