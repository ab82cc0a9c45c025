import {
  ATTEMPT_FAILURE_REASONS,
  DELIVERY_STATUSES,
  FAILURE_REASONS,
} from '@postrider/shared/domain/delivery';
import { clampLimit, decodeCursor } from '@postrider/shared/domain/page';
import type * as wire from '../contract/delivery.js';
import type { Page } from '../contract/page.js';
import { Refusal } from '../domain/refusal.js';
import type { DeliverySlice } from '../ports/reads.js';
import { showDelivery } from '../views/delivery.js';
import type { Call } from './call.js';
import type { Deps } from './deps.js';
import { refuseUnknownTypes } from './event-type-names.js';
import { endpointNotFound } from './find-endpoint.js';
import { fittingPage } from './page-bytes.js';
import { readSeveral } from './read-several.js';
import { refuseTimes } from './refuse-times.js';

type Needs = Pick<Deps, 'endpoints' | 'deliveries' | 'catalogue'>;
type Request = wire.DeliveryFilter & { readonly endpointId?: string };

const NOTHING: Page<wire.Delivery> = { items: [], nextCursor: null };

/**
 * Lists the deliveries of a workspace, or of one of its endpoints, newest first. All conditions must hold. Those of a deleted
 * endpoint stay listed until they expire. A page may be short, or even empty, while `nextCursor` is set: the rows and the
 * payloads of a page are bounded.
 *
 * @throws Refusal `EndpointNotFound` if the workspace never had the endpoint: rows of another workspace's are not even read
 */
export function listDeliveries(deps: Needs) {
  return ({ workspace }: Call, request: Request): Promise<Page<wire.Delivery>> =>
    readDeliveries(deps, workspace.id, request);
}

async function readDeliveries(
  { endpoints, deliveries, catalogue }: Needs,
  workspaceId: string,
  request: Request,
): Promise<Page<wire.Delivery>> {
  const list = `deliveries ${request.endpointId ?? workspaceId}`;
  const conditions = conditionsOf(request);
  refuseUnknownTypes({ catalogue }, { eventType: request.eventType });
  const { endpointId } = request;
  if (endpointId !== undefined && (await endpoints.find(workspaceId, endpointId)) === null)
    throw endpointNotFound();
  const position = request.cursor === undefined ? [] : decodeCursor(list, request.cursor);
  if (position === null || position.length > 1) return NOTHING;
  const [after = null] = position;
  const limit = clampLimit(request.limit);
  // The additional row shows whether there is a next page.
  const found = await deliveries.list(workspaceId, { ...conditions, after, limit: limit + 1 });
  const shown = found.deliveries.slice(0, limit);
  const replays = await deliveries.newestReplays(shown.map(({ id }) => id));
  const items = shown.map((delivery) => showDelivery(delivery, replays.get(delivery.id)));
  const further = found.deliveries.length > limit ? (shown.at(-1)?.id ?? null) : found.readTo;
  return fittingPage(items, { list, idOf: ({ deliveryId }) => deliveryId, further });
}

/** @throws Refusal `InvalidRequest` for an unknown status or reason, for no HTTP status, and for times that exclude each other */
function conditionsOf(request: Request): Omit<DeliverySlice, 'after' | 'limit'> {
  const { status, failureReason, lastFailureReason } = request;
  refuseTimes(request);
  return {
    endpointIds: request.endpointId === undefined ? null : [request.endpointId],
    statuses: status === undefined ? null : readSeveral('status', status, DELIVERY_STATUSES),
    eventType: request.eventType ?? null,
    eventId: request.eventId ?? null,
    traceId: request.traceId ?? null,
    failureReasons:
      failureReason === undefined ? null : readSeveral('failureReason', failureReason, FAILURE_REASONS),
    lastFailureReasons:
      lastFailureReason === undefined
        ? null
        : readSeveral('lastFailureReason', lastFailureReason, ATTEMPT_FAILURE_REASONS),
    httpStatus: request.httpStatus === undefined ? null : readHttpStatus(request.httpStatus),
    createdAfter: request.createdAfter ?? null,
    createdBefore: request.createdBefore ?? null,
  };
}

/** @throws Refusal `InvalidRequest` for a number that no response can have: nothing would ever match */
function readHttpStatus(value: number): number {
  if (Number.isInteger(value) && value >= 100 && value <= 999) return value;
  throw Refusal.invalid({ path: 'httpStatus', message: 'must be an HTTP status, 100 to 999' });
}
