import { randomBytes } from 'node:crypto';
import { formatToken, hashToken, shownPrefix } from '@postrider/shared/domain/api-token';
import type { AuditEvent } from '@postrider/shared/domain/audit-event';
import type { DeliveryOutcome } from '@postrider/shared/domain/delivery-outcome';
import { type IdKind, idOf } from '@postrider/shared/domain/id';
import type { Scope } from '@postrider/shared/domain/permission';
import type { Workspace } from '@postrider/shared/domain/workspace';
import { createKafkaClient } from '@postrider/shared/kafka/connect';
import { createTopicNames } from '@postrider/shared/kafka/topic-names';
import type { Document } from '@postrider/shared/mongo/collections';
import { connectMongo, type Database } from '@postrider/shared/mongo/connect';
import { toDocument } from '@postrider/shared/mongo/documents';
import { migrateMongo } from '@postrider/shared/mongo/migrate';
import { NO_OUTCOMES } from '@postrider/shared/platform/report-outcomes';
import type { OutboxRecord } from '@postrider/shared/ports/outbox';
import { createFailpoints } from '@postrider/shared/runtime/failpoints';
import { randomTail } from '@postrider/shared/runtime/identifiers';
import { type FixedCatalogue, fixedCatalogue } from '@postrider/shared/testing/fixed-catalogue';
import { type FixedFeatureLevel, fixedFeatureLevel } from '@postrider/shared/testing/fixed-feature-level';
import { readConfig } from '../src/config.js';
import { type Api, startApi } from '../src/service.js';
import { type ApiClient, createApiClient } from './api-client.js';
import { type RecordedLog, recordedLog } from './recorded-log.js';

/** A running api with its own database. Records for the relay are collected in a list instead of being published. */
export interface ApiWorld {
  readonly api: Api;
  readonly database: Database;
  /** The records for the relay, in order. */
  readonly offered: OutboxRecord[];
  /** The outcomes that were reported, in order. */
  readonly reported: DeliveryOutcome[];
  readonly log: RecordedLog;
  readonly clock: TestClock;
  /** The newest level unless a test sets another. */
  readonly featureLevel: FixedFeatureLevel;
  /** Has no custom types unless a test sets some. */
  readonly catalogue: FixedCatalogue;
  readonly workspace: Workspace;
  /** A client with a new token that has these scopes, by default for the world's workspace. */
  as(scopes: readonly Scope[], facts?: TokenFacts): Promise<ApiClient>;
  addWorkspace(slug: string): Promise<Workspace>;
  /** The audit entries with this target, oldest first. */
  audits(targetId: string): Promise<readonly Document<AuditEvent>[]>;
  destroy(): Promise<void>;
}

interface TokenFacts {
  readonly workspace?: Workspace;
  readonly expiresAt?: Date | null;
  readonly revokedAt?: Date | null;
}

/** The real time plus an offset that tests can advance. */
export interface TestClock {
  now(): Date;
  advance(ms: number): void;
}

export const newId = <Kind extends IdKind>(kind: Kind, at = new Date()) => idOf(kind, at, randomTail());

export async function apiWorld(env: Readonly<Record<string, string>> = {}): Promise<ApiWorld> {
  const uri = new URL(process.env.MONGODB_URI ?? 'mongodb://not-set-run-npm-test');
  uri.pathname = `/test_api_${randomBytes(4).toString('hex')}`;
  const database = await connectMongo(uri.href, 'test');
  await migrateMongo(database);
  const offered: OutboxRecord[] = [];
  const reported: DeliveryOutcome[] = [];
  const relay = { offer: (records: readonly OutboxRecord[]) => void offered.push(...records) };
  const log = recordedLog();
  const clock = testClock();
  const featureLevel = fixedFeatureLevel();
  const catalogue = fixedCatalogue();
  const connect = async () => ({
    database,
    clock,
    clockOffsetMs: () => 0,
    featureLevel,
    catalogue,
    relay: { ...IDLE_RELAY, ...relay },
    outcomes: {
      ...NO_OUTCOMES,
      report: (outcomes: readonly DeliveryOutcome[]) => void reported.push(...outcomes),
    },
    stats: { add: () => {}, countWith: () => {} },
    crashBefore: createFailpoints([]),
    // No stream is opened without outcomes.
    kafka: createKafkaClient({ brokers: ['127.0.0.1:1'], service: 'test', log }),
    names: createTopicNames(''),
    close: async () => {},
  });
  const config = readConfig({ ...ENVIRONMENT, MONGODB_URI: uri.href, ...env });
  const api = await startApi(config, log, { connect });

  const addWorkspace = async (slug: string) => {
    const workspace: Workspace = {
      id: newId('workspace'),
      slug,
      name: slug,
      plan: 'free',
      createdAt: new Date(),
    };
    await database.collections.workspaces.insertOne({ ...toDocument(workspace), guard: 0 });
    return workspace;
  };
  const workspace = await addWorkspace('acme');
  return {
    api,
    database,
    offered,
    reported,
    log,
    clock,
    featureLevel,
    catalogue,
    workspace,
    addWorkspace,
    audits: (targetId) =>
      database.collections.auditEvents.find({ 'target.id': targetId }).sort({ _id: 1 }).toArray(),
    async as(scopes, { workspace: owner = workspace, expiresAt = null, revokedAt = null } = {}) {
      const secret = formatToken(randomBytes(32));
      const token = {
        id: newId('token'),
        workspaceId: owner.id,
        name: 'test',
        scopes: [...scopes],
        hash: hashToken(secret),
        prefix: shownPrefix(secret),
        createdAt: new Date(),
        createdBy: null,
        lastUsedAt: null,
        lastUsedAddress: null,
        expiresAt,
        revokedAt,
      };
      await database.collections.apiTokens.insertOne(toDocument(token));
      return createApiClient({
        origin: `http://127.0.0.1:${api.port}`,
        slug: owner.slug,
        secret,
        tokenId: token.id,
      });
    },
    async destroy() {
      await api.stop();
      await database.db.dropDatabase();
      await database.close();
    },
  };
}

const IDLE_RELAY = { drain: async () => {}, stop: async () => {} };

const ENVIRONMENT = {
  KAFKA_BROKERS: '127.0.0.1:1',
  SCHEMA_REGISTRY_URL: 'http://127.0.0.1:1',
  ENCRYPTION_KEYS: `test:${Buffer.alloc(32, 1).toString('base64')}`,
  HOST: '127.0.0.1',
  PORT: '0',
  METRICS_PORT: '0',
  RATE_LIMIT_REST_READ: '1000000',
  RATE_LIMIT_REST_WRITE: '1000000',
  REPLAY_POLL_INTERVAL: '100ms',
};

function testClock(): TestClock {
  let ahead = 0;
  return {
    now: () => new Date(Date.now() + ahead),
    advance(ms) {
      ahead += ms;
    },
  };
}
