import type { Delivery } from '@postrider/shared/domain/delivery';
import type { HandedOver, HandOver, StoredDelivery } from '../../ports/hand-over.js';
import type { Job } from '../jobs/job.js';
import type { Workload } from '../jobs/workload.js';
import type { EndpointScheduler } from '../scheduler/endpoint-scheduler.js';
import { isPlainlyAt, knownOrigin } from '../sending/known-origin.js';
import type { Loader } from '../sending/loader.js';
import { payloadText } from '../sending/payload-text.js';

interface HandOverParts {
  readonly workload: Pick<Workload, 'addStored' | 'leaveStored'>;
  readonly scheduler: Pick<EndpointScheduler<Job>, 'origin' | 'learnOrigin'>;
  readonly loader: Pick<Loader, 'keep' | 'hasRoom'>;
  /** Whether this process certainly owns the endpoint. */
  readonly isOwned: (endpointId: string) => boolean;
  readonly mayStart: () => boolean;
  readonly onAdded: () => void;
}

/** Half of a surrogate pair. The database would store another character, but all POSTs of a delivery must have the same body. */
const LONE_SURROGATE = /\\ud[89a-f]/i;

/** A row that its endpoint's query will find. */
const LEFT: HandedOver = { hasEnded: true, onEnded: () => {}, onDropped: () => {} };

/**
 * Takes over rows that this process has stored, as their messages would later: only for endpoints that it owns, and only
 * while there is memory. Rows of endpoints that are behind are left to the queries for these, as their messages would be skipped.
 * A row that is not taken is added by its message. The origin of each endpoint is recorded: jobs that wait for an earlier one that
 * does not answer may start now.
 */
export function createHandOver(parts: HandOverParts): HandOver {
  const { workload, scheduler, loader, isOwned, mayStart, onAdded } = parts;
  const noteOrigin = ({ message: { endpointId }, endpoint: { url }, endpointReadAt }: StoredDelivery) => {
    const origin = scheduler.origin(endpointId);
    if (origin === null || isPlainlyAt(origin, url)) return;
    scheduler.learnOrigin(endpointId, knownOrigin(url), endpointReadAt);
  };
  return (stored) => {
    const taken = new Map<string, HandedOver>();
    if (!mayStart()) return taken;
    const isStoredUnchanged = forEachPayload((payload) => !LONE_SURROGATE.test(payloadText(payload)));
    for (const one of stored) {
      const { message, delivery, bytes } = one;
      if (!isOwned(message.endpointId)) continue;
      noteOrigin(one);
      if (workload.leaveStored(message)) {
        taken.set(delivery.id, LEFT);
        continue;
      }
      if (!loader.hasRoom(bytes) || !isStoredUnchanged(delivery)) continue;
      const handedOver: HandedOver = { hasEnded: false, onEnded: () => {}, onDropped: () => {} };
      const job = workload.addStored(message, handedOver);
      if (job === null) continue;
      loader.keep(job, one);
      taken.set(delivery.id, handedOver);
    }
    if (taken.size > 0) onAdded();
    return taken;
  };
}

/** Rows of one event share their payload: it is checked once for consecutive rows. */
function forEachPayload(check: (payload: Delivery['payload']) => boolean): (delivery: Delivery) => boolean {
  let last: Delivery['payload'] | null = null;
  let result = false;
  return ({ payload }) => {
    if (payload !== last) result = check(payload);
    last = payload;
    return result;
  };
}
