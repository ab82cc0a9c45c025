import { randomBytes } from 'node:crypto';
import { idOf } from '@postrider/shared/domain/id';
import type { Member } from '@postrider/shared/domain/member';
import type { Notification } from '@postrider/shared/domain/notification';
import { createEgress } from '@postrider/shared/domain/webhook-url';
import { createFindSendingHolds } from '@postrider/shared/mongo/outage-guard-records';
import { egressRules } from '@postrider/shared/platform/egress-config';
import type { Platform } from '@postrider/shared/platform/platform';
import type { Log } from '@postrider/shared/ports/log';
import { randomTail } from '@postrider/shared/runtime/identifiers';
import { createSecretBox } from '@postrider/shared/runtime/secret-box';
import { sleep } from '@postrider/shared/runtime/sleep';
import { nextTurn } from '@postrider/shared/runtime/turns';
import type { Config } from './config.js';
import { createRequireFeature } from './domain/require-feature.js';
import { createAuditReads } from './mongo/audit-reads.js';
import { createAuditTrail } from './mongo/audit-trail.js';
import { createDeliveryReads } from './mongo/delivery-reads.js';
import { createDirectory } from './mongo/directory.js';
import { createEndpointReads } from './mongo/endpoint-reads.js';
import { createEventStore } from './mongo/event-store.js';
import { createIdempotencyStore } from './mongo/idempotency.js';
import {
  createAscendingById,
  createConformanceCheckReads,
  createInvitationReads,
  createNewestFirst,
  createPortalLinkReads,
  createReplayJobReads,
  createTokenReads,
  createUnmatchedEventReads,
} from './mongo/list-reads.js';
import { createPlaces } from './mongo/places.js';
import { forgetSources } from './mongo/replay-sources.js';
import { createStatsReads } from './mongo/stats-reads.js';
import { createStoredSecrets } from './mongo/stored-secrets.js';
import { createUnitOfWork } from './mongo/unit-of-work.js';
import type { Deps } from './operations/deps.js';
import { createForgetMatched } from './replay/forget-matched.js';
import { createSendingHolds } from './replay/sending-holds.js';

type OperationsPlatform = Pick<
  Platform,
  'database' | 'clock' | 'relay' | 'featureLevel' | 'catalogue' | 'outcomes'
>;

/** The dependencies of all operations. */
export function operationDeps(
  config: Config,
  { database, clock, relay, featureLevel, catalogue, outcomes }: OperationsPlatform,
  log: Log,
): Deps {
  const { collections } = database;
  const sealing = createSecretBox(config.ENCRYPTION_KEYS);
  const idempotencyStore = createIdempotencyStore({
    client: database.client,
    keys: collections.idempotencyKeys,
    clock,
    sealing,
    sleep,
  });
  const transactions = { database, relay, clock, outboxClaimMs: config.OUTBOX_CLAIM, idempotencyStore };
  const mutate = createUnitOfWork({ ...transactions, report: outcomes.report });
  return {
    mutate,
    storeEvents: createEventStore({ ...transactions, mutate }),
    clock,
    nextTurn,
    requireFeature: createRequireFeature(featureLevel.allows),
    catalogue,
    newId: (kind, at) => idOf(kind, at, randomTail()),
    randomBytes,
    sealing,
    egress: createEgress(egressRules(config)),
    endpoints: createEndpointReads(collections),
    deliveries: createDeliveryReads(database),
    workspaces: createDirectory(collections),
    members: createAscendingById<Member>(collections.members),
    invitations: createInvitationReads(collections),
    tokens: createTokenReads(collections),
    portalLinks: createPortalLinkReads(collections),
    notifications: createNewestFirst<Notification>(collections.notifications),
    auditEvents: createAuditReads(database),
    auditTrail: createAuditTrail(collections),
    consoleUrl: config.CONSOLE_URL.replace(/\/+$/, '') || null,
    places: createPlaces({ collections, clock, sleep }),
    quotas: { endpoints: config.ENDPOINTS_PER_WORKSPACE, tokens: config.TOKENS_PER_WORKSPACE },
    replayJobs: createReplayJobReads(database),
    forgetMatched: createForgetMatched((jobId) => forgetSources(collections, jobId), log),
    storedSecrets: createStoredSecrets(collections),
    unmatchedEvents: createUnmatchedEventReads(collections),
    conformanceChecks: createConformanceCheckReads(collections),
    streamsAreOn: outcomes.isOn,
    stats: createStatsReads(collections),
    sendingHolds: createSendingHolds(createFindSendingHolds(collections, clock), clock),
  };
}
