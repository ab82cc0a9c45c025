import type { Delivery } from '@postrider/shared/domain/delivery';
import type { ReplayJob } from '@postrider/shared/domain/replay-job';
import { Refusal } from '../domain/refusal.js';
import type {
  ConformanceCheckReads,
  CreationOrder,
  DeliveryReads,
  EndpointReads,
  ReplayJobReads,
  Slice,
  StatsReads,
} from '../ports/reads.js';
import type { Transaction } from '../ports/unit-of-work.js';
import type { Deps } from './deps.js';

type EndpointIds = ReadonlySet<string>;

/**
 * The dependencies of operations for a caller that is limited to some endpoints. This is the one place where the limit
 * is kept: rows of other endpoints do not exist for it, and everything that belongs to no endpoint cannot be reached.
 * Each dependency is listed, so that a new one needs a decision.
 */
export function limitDeps(deps: Deps, ids: EndpointIds): Deps {
  const { clock, requireFeature, newId, randomBytes, sealing, egress, quotas, consoleUrl, catalogue } = deps;
  const { streamsAreOn, auditTrail, places, sendingHolds, nextTurn } = deps;
  return {
    clock,
    nextTurn,
    requireFeature,
    newId,
    randomBytes,
    sealing,
    egress,
    quotas,
    consoleUrl,
    catalogue,
    streamsAreOn,
    auditTrail,
    // It concerns all endpoints, and says nothing about others.
    sendingHolds,
    // Such a caller can insert neither endpoints nor tokens.
    places,
    stats: limitStats(deps.stats, ids),
    // Events belong to no endpoint.
    storeEvents: notFound,
    mutate: (call, work) => deps.mutate(call, (tx) => work(limitTransaction(tx, ids))),
    endpoints: limitEndpoints(deps.endpoints, ids),
    deliveries: limitDeliveries(deps.deliveries, ids),
    replayJobs: limitReplayJobs(deps.replayJobs, ids),
    // Called only for jobs that such a caller was able to cancel.
    forgetMatched: deps.forgetMatched,
    // Called only for endpoints that were found.
    storedSecrets: deps.storedSecrets,
    conformanceChecks: limitChecks(deps.conformanceChecks, ids),
    workspaces: unreachable(),
    members: unreachable(),
    invitations: unreachable(),
    tokens: unreachable(),
    portalLinks: unreachable(),
    notifications: unreachable(),
    auditEvents: unreachable(),
    // An event without deliveries belongs to no endpoint.
    unmatchedEvents: { find: async () => null },
  };
}

function limitEndpoints(endpoints: EndpointReads, ids: EndpointIds): EndpointReads {
  /** There are at most a hundred. */
  const idsAfter = (after: string | null) => [...ids].filter((id) => after === null || id > after).sort();
  return {
    find: async (workspaceId, id) => (ids.has(id) ? endpoints.find(workspaceId, id) : null),
    findSeveral: (workspaceId, several) => endpoints.findSeveral(workspaceId, withinLimit(several, ids)),
    list: async (workspaceId, { after, limit }) =>
      (await endpoints.findSeveral(workspaceId, idsAfter(after))).slice(0, limit),
    listWithDeleted: (workspaceId, slice) =>
      endpoints.listWithDeleted(workspaceId, {
        ...slice,
        endpointIds: withinLimit(slice.endpointIds, ids),
      }),
    search: (workspaceId, slice) =>
      endpoints.search(workspaceId, { ...slice, endpointIds: withinLimit(slice.endpointIds, ids) }),
    count: notFound,
  };
}

function limitDeliveries(deliveries: DeliveryReads, ids: EndpointIds): DeliveryReads {
  const find: DeliveryReads['find'] = async (workspaceId, id) =>
    seen(await deliveries.find(workspaceId, id), ids);
  return {
    find,
    findSeveral: async (workspaceId, several) =>
      (await deliveries.findSeveral(workspaceId, several)).filter(({ endpointId }) => ids.has(endpointId)),
    oldestOf: (workspaceId, eventId, endpointIds) =>
      deliveries.oldestOf(workspaceId, eventId, withinLimit(endpointIds, ids)),
    async list(workspaceId, slice) {
      const endpointIds = withinLimit(slice.endpointIds, ids);
      if (endpointIds.length === 0) return { deliveries: [], readTo: null };
      return deliveries.list(workspaceId, { ...slice, endpointIds });
    },
    /** A replay has the endpoint of its source, and this is called only for sources whose endpoints were found. */
    newestReplays: deliveries.newestReplays,
    attempts: async (workspaceId, deliveryId) =>
      (await find(workspaceId, deliveryId)) === null ? [] : deliveries.attempts(workspaceId, deliveryId),
    // Called only for endpoints that were found.
    countHeld: deliveries.countHeld,
    countByStatus: notFound,
  };
}

/** @param endpointIds null means all */
function withinLimit(endpointIds: readonly string[] | null, ids: EndpointIds): readonly string[] {
  return (endpointIds ?? [...ids]).filter((id) => ids.has(id));
}

/** Shows the sum of these endpoints in place of the workspace. */
function limitStats({ steps, hoursOf, sums }: StatsReads, ids: EndpointIds): StatsReads {
  const sumsOf: StatsReads['sums'] = (endpointIds, span) => sums(withinLimit(endpointIds, ids), span);
  return {
    sums: sumsOf,
    hoursOf: (endpointIds, begins) => hoursOf(withinLimit(endpointIds, ids), begins),
    async *steps({ workspaceId, endpointId }, span) {
      if (endpointId === null) yield* sumsOf([...ids], span);
      else if (ids.has(endpointId)) yield* steps({ workspaceId, endpointId }, span);
    },
  };
}

function limitReplayJobs(jobs: ReplayJobReads, ids: EndpointIds): ReplayJobReads {
  const list = (workspaceId: string, slice: Slice<CreationOrder>) =>
    jobs.listOf(workspaceId, [...ids], slice);
  return {
    find: async (workspaceId, id) => ofEndpoint(await jobs.find(workspaceId, id), ids),
    list,
    listOf: (workspaceId, _endpointIds, slice) => list(workspaceId, slice),
  };
}

function limitChecks(checks: ConformanceCheckReads, ids: EndpointIds): ConformanceCheckReads {
  return {
    async find(workspaceId, id) {
      const check = await checks.find(workspaceId, id);
      return check !== null && ids.has(check.endpointId) ? check : null;
    },
  };
}

function limitTransaction(tx: Transaction, ids: EndpointIds): Transaction {
  return {
    endpoints: {
      find: async (workspaceId, id) => (ids.has(id) ? tx.endpoints.find(workspaceId, id) : null),
      save: async (endpoint) => (ids.has(endpoint.id) ? tx.endpoints.save(endpoint) : notFound()),
      insert: notFound,
      countLive: notFound,
      countStored: notFound,
    },
    deliveries: {
      find: async (workspaceId, id) => seen(await tx.deliveries.find(workspaceId, id), ids),
      insert: async (row) => (ids.has(row.endpointId) ? tx.deliveries.insert(row) : notFound()),
    },
    storedResults: {
      removeSecretsOf: async (id) => (ids.has(id) ? tx.storedResults.removeSecretsOf(id) : notFound()),
    },
    replayJobs: {
      find: async (workspaceId, id) => ofEndpoint(await tx.replayJobs.find(workspaceId, id), ids),
      insert: async (job) => tx.replayJobs.insert(ofNamedEndpoint(job, ids)),
      save: async (job) => tx.replayJobs.save(ofNamedEndpoint(job, ids)),
      countActive: tx.replayJobs.countActive,
      countStored: tx.replayJobs.countStored,
    },
    conformanceChecks: {
      insert: async (check) => (ids.has(check.endpointId) ? tx.conformanceChecks.insert(check) : notFound()),
      startedSince: tx.conformanceChecks.startedSince,
    },
    workspaces: unreachable(),
    members: unreachable(),
    invitations: unreachable(),
    tokens: unreachable(),
    portalLinks: unreachable(),
  };
}

function seen(delivery: Delivery | null, ids: EndpointIds): Delivery | null {
  return delivery !== null && ids.has(delivery.endpointId) ? delivery : null;
}

function ofEndpoint(job: ReplayJob | null, ids: EndpointIds): ReplayJob | null {
  return job?.filter.endpointId != null && ids.has(job.filter.endpointId) ? job : null;
}

/** @throws Refusal `EndpointNotFound` for a job of all endpoints */
function ofNamedEndpoint(job: ReplayJob, ids: EndpointIds): ReplayJob {
  if (ofEndpoint(job, ids) !== null) return job;
  throw new Refusal('EndpointNotFound', 'Name one of the endpoints of this portal link in endpointId.');
}

/** A dependency whose methods all refuse: admission keeps limited callers from the operations that need it. */
function unreachable<T extends object>(): T {
  return new Proxy({} as T, { get: () => notFound });
}

async function notFound(): Promise<never> {
  throw new Refusal(
    'WorkspaceNotFound',
    'This portal link gives access to its endpoints and their deliveries only.',
  );
}
