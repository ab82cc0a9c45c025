import type { Attempt, Delivery } from '../../src/domain/delivery.js';
import type { Endpoint } from '../../src/domain/endpoint.js';
import { NEWEST_LEVEL } from '../../src/domain/feature-level.js';
import type { Notification } from '../../src/domain/notification.js';
import { createBacklog } from '../../src/mongo/backlog.js';
import { createDeadLetterStore } from '../../src/mongo/dead-letter-store.js';
import { fromDeliveryDocument, fromDocument } from '../../src/mongo/documents.js';
import { createFanOutStore } from '../../src/mongo/fan-out-store.js';
import { createSettlementStore } from '../../src/mongo/settlement-store.js';
import type { Backlog } from '../../src/ports/backlog.js';
import type { DeadLetterStore } from '../../src/ports/dead-letter.js';
import type { FanOutStore } from '../../src/ports/fan-out.js';
import type { OutboxRecord } from '../../src/ports/outbox.js';
import type { SettlementStore } from '../../src/ports/settlement.js';
import { NOON } from '../../src/testing/builders.js';
import { fixedFeatureLevel } from '../../src/testing/fixed-feature-level.js';
import { createInMemoryStores } from '../../src/testing/in-memory-stores.js';
import { storedAttempts } from '../../src/testing/stored-attempts.js';
import { offers, type TestDatabase } from '../../src/testing/test-database.js';

/** Empty stores that share their rows, and what a contract suite needs to see of them. */
export interface StoresUnderTest {
  readonly settlements: SettlementStore;
  readonly deadLetters: DeadLetterStore;
  readonly backlog: Backlog;
  readonly fanOut: FanOutStore;
  /** The records that were handed to the relay. */
  readonly offered: readonly OutboxRecord[];
  store(rows: { endpoints?: readonly Endpoint[]; deliveries?: readonly Delivery[] }): Promise<void>;
  rows(): Promise<readonly Delivery[]>;
  endpoints(): Promise<readonly Endpoint[]>;
  attempts(): Promise<readonly Attempt[]>;
  notifications(): Promise<readonly Notification[]>;
  auditCount(): Promise<number>;
}

export type CreateStores = () => StoresUnderTest;

export function inMemoryStores(): StoresUnderTest {
  const { relay, offered } = offers();
  const stores = createInMemoryStores(relay.offer);
  const { settlements, deadLetters, backlog, fanOut } = stores;
  return {
    settlements,
    deadLetters,
    backlog,
    fanOut,
    offered,
    async store({ endpoints = [], deliveries = [] }) {
      for (const endpoint of endpoints) stores.endpoints.set(endpoint.id, endpoint);
      for (const delivery of deliveries) stores.deliveries.set(delivery.id, delivery);
    },
    rows: async () => [...stores.deliveries.values()],
    endpoints: async () => [...stores.endpoints.values()],
    attempts: async () => [...stores.attempts.values()],
    notifications: async () => [...stores.notifications.values()],
    auditCount: async () => stores.audits.size,
  };
}

/** The stores on a database that is cleared after each test, at the newest feature level by default. */
export function mongoStores(database: TestDatabase, level = NEWEST_LEVEL): StoresUnderTest {
  const { relay, offered } = offers();
  const { collections } = database;
  const featureLevel = fixedFeatureLevel(level);
  const parts = { database, relay, clock: { now: () => NOON }, featureLevel, outboxClaimMs: 15_000 };
  return {
    settlements: createSettlementStore(parts),
    deadLetters: createDeadLetterStore(parts),
    backlog: createBacklog(collections),
    fanOut: createFanOutStore(collections),
    offered,
    store: database.store,
    rows: async () => (await collections.deliveries.find().toArray()).map(fromDeliveryDocument),
    endpoints: async () => (await collections.endpoints.find().toArray()).map(fromDocument<Endpoint>),
    attempts: () => storedAttempts(collections),
    notifications: async () =>
      (await collections.notifications.find().toArray()).map(fromDocument<Notification>),
    auditCount: () => collections.auditEvents.countDocuments(),
  };
}
