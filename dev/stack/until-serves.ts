import { connect } from 'node:net';
import { type Db, MongoClient, MongoServerError } from 'mongodb';
import { acceptsConnections } from '../processes/accepts-connections.js';
import { poll } from '../processes/poll.js';

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

/** Length, API key 10, version 0, correlation id 1, no client id; then the group "dev". */
const FIND_COORDINATOR = Buffer.from('0000000f000a000000000001ffff0003646576', 'hex');
/** Offset of the error code in a response: after its length and the correlation id. */
const ERROR_AT = 8;

/**
 * Sends FindCoordinator to a broker and returns Kafka's error code, 0 for success. The request makes the broker create its
 * offsets topic, so that the first consumer need not wait for it; it succeeds only once the controller has registered the
 * broker. A Kafka client cannot replace it, because clients retry and log what is normal during a start.
 */
export async function findCoordinator(address: string): Promise<number> {
  const { hostname, port } = new URL(`tcp://${address}`);
  const socket = connect(Number(port), hostname);
  socket.setTimeout(2_000, () => socket.destroy(new Error('Kafka does not answer')));
  socket.write(FIND_COORDINATOR);
  let received = Buffer.alloc(0);
  for await (const chunk of socket) {
    received = Buffer.concat([received, chunk as Buffer]);
    if (received.length >= ERROR_AT + 2) return received.readInt16BE(ERROR_AT);
  }
  throw new Error('Kafka closed the connection');
}

/** The registry's Confluent-compatible API. */
export function registryUrl(address: string): string {
  return `http://${address}/apis/ccompat/v7`;
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
  const polling = { ...pollingWith(signal), what: `MongoDB at ${set.address} accepting writes` };
  await poll(() => acceptsConnections(set.address), polling);
  const client = new MongoClient(`mongodb://${set.address}/?directConnection=true`, {
    serverSelectionTimeoutMS: 5_000,
  });
  const admin = client.db('admin');
  const probe = async (): Promise<true | undefined> => {
    await configure(admin, set);
    const hello = await admin.command({ hello: 1 });
    return hello.isWritablePrimary || undefined;
  };
  try {
    await poll(probe, polling);
  } finally {
    await client.close();
  }
}

async function configure(admin: Db, set: ReplicaSet): Promise<void> {
  const host = set.ownAddress ?? set.address;
  const answer = await admin.command({ replSetGetConfig: 1 }).catch((error) => {
    if (error instanceof MongoServerError && error.code === NOT_YET_INITIALIZED) return undefined;
    throw error;
  });
  const config = answer?.config;
  if (config === undefined) {
    await admin.command({ replSetInitiate: { _id: set.replicaSet, members: [{ _id: 0, host }] } });
  } else if (config.members[0]?.host !== host || config.members.length !== 1) {
    const members = [{ ...config.members[0], _id: 0, host }];
    const changed = { ...config, version: config.version + 1, members };
    await admin.command({ replSetReconfig: changed, force: true });
  }
}
