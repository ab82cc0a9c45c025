import type { EndpointId } from '@postrider/shared/domain/id';
import type { ReplayJobStore } from '../ports/replay-jobs.js';

/** Whether the endpoints that a job replays to keep up with it. */
export interface BehindCheck {
  replayed(endpointIds: readonly EndpointId[]): void;
  isBehind(): Promise<boolean>;
}

const CHECK_EVERY_MS = 1_000;
/** One check counts the due rows of at most so many endpoints, those with the most replays. */
const MOST_CHECKED = 50;

/**
 * A job waits while an endpoint has many due rows: its replays would only wait, a cancellation would come too late, and
 * feeding would pass them to find the deliveries that go first.
 */
export function createBehindCheck(
  store: Pick<ReplayJobStore, 'isAnyBehind'>,
  monotonic: () => number,
): BehindCheck {
  const replays = new Map<EndpointId, number>();
  let checkedAt = monotonic();
  return {
    replayed(endpointIds) {
      for (const id of endpointIds) replays.set(id, (replays.get(id) ?? 0) + 1);
    },
    async isBehind() {
      if (replays.size === 0 || monotonic() - checkedAt < CHECK_EVERY_MS) return false;
      const most = [...replays].toSorted(([, one], [, other]) => other - one).slice(0, MOST_CHECKED);
      const behind = await store.isAnyBehind(most.map(([id]) => id));
      if (behind) return true;
      replays.clear();
      checkedAt = monotonic();
      return false;
    },
  };
}
