import type { DeliveryId, EndpointId } from '@postrider/shared/domain/id';
import type { ReplayJob } from '@postrider/shared/domain/replay-job';
import type { ReplayJobStore, ReplayTo } from '../ports/replay-jobs.js';

/** Whether the endpoints that a job replays to keep up with it. */
export interface BehindCheck {
  replayed(replays: readonly ReplayTo[]): void;
  isBehind(job: ReplayJob): Promise<boolean>;
}

/** One in this many replays to an endpoint is marked and looked at. */
const MARK_EVERY = 100;
/** A job waits while this many marked replays to an endpoint are unsent, which stand for 1,000 replays. */
const MAX_MARKS = 10;
/** Maximum number of endpoints in one check. */
const MAX_CHECKED = 50;
/** Maximum number of endpoints for which a job counts its replays; those without one for longest are forgotten. */
const MAX_ENDPOINTS = 10_000;

interface Sent {
  replays: number;
  /** Marked replays that are not known to be sent, oldest first. */
  marks: readonly DeliveryId[];
}

/**
 * A job waits while 1,000 of its replays to an endpoint are unsent: further ones would only wait, a cancellation would come
 * too late, and feeding would have to pass them to find the deliveries that go first. Other deliveries of the endpoint do
 * not count. The database is asked only about endpoints that got that many.
 */
export function createBehindCheck(store: Pick<ReplayJobStore, 'lastUnsent' | 'unsentOf'>): BehindCheck {
  const behind = new Set<EndpointId>();
  /** In the order of their last replays, the newest at the end. */
  const endpoints = new Map<EndpointId, Sent>();
  let isRestored = false;
  const forgetOldest = () => {
    const [oldest] = endpoints.keys();
    if (oldest === undefined || endpoints.size <= MAX_ENDPOINTS) return;
    endpoints.delete(oldest);
    behind.delete(oldest);
  };
  const replayed = (replays: readonly ReplayTo[]) => {
    for (const { id, endpointId } of replays) {
      const sent = endpoints.get(endpointId) ?? { replays: 0, marks: [] };
      endpoints.delete(endpointId);
      endpoints.set(endpointId, sent);
      forgetOldest();
      sent.replays += 1;
      if (sent.replays % MARK_EVERY === 0) sent.marks = [...sent.marks, id];
      if (sent.marks.length >= MAX_MARKS) behind.add(endpointId);
    }
  };
  const check = async (job: ReplayJob, checked: readonly EndpointId[]) => {
    const marksOf = (endpointId: EndpointId) => endpoints.get(endpointId)?.marks ?? [];
    const unsent = await store.unsentOf(job, checked.flatMap(marksOf));
    for (const endpointId of checked) {
      const sent = endpoints.get(endpointId);
      if (sent === undefined) continue;
      sent.marks = sent.marks.slice(sent.marks.findLastIndex((id) => !unsent.has(id)) + 1);
      if (sent.marks.length < MAX_MARKS) behind.delete(endpointId);
    }
  };
  return {
    replayed,
    async isBehind(job) {
      // Another process may have run the job before.
      if (!isRestored && job.replayed > 0) replayed(await store.lastUnsent(job));
      isRestored = true;
      if (behind.size === 0) return false;
      const checked = [...behind].slice(0, MAX_CHECKED);
      await check(job, checked);
      return checked.some((endpointId) => behind.has(endpointId));
    },
  };
}
