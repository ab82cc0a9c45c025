import { MongoClient, MongoServerError } from 'mongodb';
import { acceptsConnections } from '../processes/accepts-connections.js';
import { poll } from '../processes/poll.js';
import { findCoordinator } from './find-coordinator.js';

const pollingWith = (signal: AbortSignal | undefined) => ({
  everyMs: 25,
  timeoutMs: 60_000,
  ...(signal && { signal }),
});

/** Resolves when topics can be created and consumer groups joined. */
export async function untilKafkaServes(address: string, signal?: AbortSignal): Promise<void> {
  const probe = async (): Promise<true> => {
    const error = await findCoordinator(address);
    if (error !== 0) throw new Error(`Kafka answers with error code ${error}`);
    return true;
  };
  await poll(probe, { ...pollingWith(signal), what: `the start of Kafka at ${address}` });
}

/** Resolves when the registry lists its subjects. */
export async function untilRegistryServes(url: string, signal?: AbortSignal): Promise<void> {
  const probe = async (): Promise<true | undefined> => {
    const answer = await fetch(`${url}/subjects`, { signal: AbortSignal.timeout(5_000) });
    await answer.arrayBuffer();
    return answer.ok || undefined;
  };
  await poll(probe, { ...pollingWith(signal), what: `the start of the schema registry at ${url}` });
}

const NOT_YET_INITIALIZED = 94;

export interface ReplicaSet {
  /** `host:port` where the server is reached from here. */
  readonly address: string;
  readonly replicaSet: string;
  /** `host:port` of the server in its replica set, if different. */
  readonly ownAddress?: string;
}

/**
 * Makes the server the only member of its replica set, also after a change of its address, and resolves when it accepts
 * writes.
 */
export async function untilMongoServes(set: ReplicaSet, signal?: AbortSignal): Promise<void> {
  const polling = pollingWith(signal);
  await poll(() => acceptsConnections(set.address), { ...polling, what: `MongoDB at ${set.address}` });
  const client = new MongoClient(`mongodb://${set.address}/?directConnection=true`, {
    serverSelectionTimeoutMS: 5_000,
  });
  try {
    const what = `MongoDB at ${set.address} accepting writes`;
    await poll(() => configure(client, set), { ...polling, what });
    await poll(() => isPrimary(client), { ...polling, what });
  } finally {
    await client.close();
  }
}

async function configure(client: MongoClient, set: ReplicaSet): Promise<true> {
  const admin = client.db('admin');
  const host = set.ownAddress ?? set.address;
  const config = await presentConfig(client);
  if (config === undefined) {
    await admin.command({ replSetInitiate: { _id: set.replicaSet, members: [{ _id: 0, host }] } });
  } else if (config.members[0]?.host !== host || config.members.length !== 1) {
    const members = [{ ...config.members[0], _id: 0, host }];
    await admin.command({
      replSetReconfig: { ...config, version: config.version + 1, members },
      force: true,
    });
  }
  return true;
}

interface ReplicaSetConfig {
  readonly version: number;
  readonly members: readonly { readonly host: string }[];
}

async function presentConfig(client: MongoClient): Promise<ReplicaSetConfig | undefined> {
  try {
    const answer = await client.db('admin').command({ replSetGetConfig: 1 });
    return answer.config as ReplicaSetConfig;
  } catch (error) {
    if (error instanceof MongoServerError && error.code === NOT_YET_INITIALIZED) return undefined;
    throw error;
  }
}

async function isPrimary(client: MongoClient): Promise<true | undefined> {
  const hello = await client.db('admin').command({ hello: 1 });
  return hello.isWritablePrimary === true ? true : undefined;
}
