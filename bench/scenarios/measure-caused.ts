import type { Db } from 'mongodb';
import { type DatabaseBytes, readDatabaseBytes } from '../environment/database-bytes.js';
import type { Environment } from '../environment/environment.js';
import type { Published } from '../generator/plan.js';
import { type Counts, differenceOf } from '../measure/counts.js';
import type { Span } from '../measure/timeline.js';
import { findThreadedProcesses, startThreadMeter } from '../processes/server-threads.js';
import { findLogDirectory, readTopicBytes } from '../processes/topic-bytes.js';
import type { Context } from '../scenario.js';
import type { Caused } from './cost-parts.js';
import { observe, WARM_UP_EVENTS, warmUp } from './load.js';

/** Time for the last deliveries to be recorded and acknowledged. */
const LAST_WORK_MS = 2_000;
const POLL_MS = 200;
/** Commands of connections, monitors and of the bench itself. */
const NOT_COUNTED = /^(hello|isMaster|ping|serverStatus|buildInfo|endSessions|replSet.*|_.*|<UNKNOWN>)$/;

export type Load = (environment: Environment) => Promise<Published>;

/** Counts the work and data that a load causes after a warm-up. Each of its events has one delivery. */
export async function measureCaused(
  { serverProcesses }: Pick<Context, 'serverProcesses'>,
  environment: Environment,
  load: Load,
): Promise<{ readonly caused: Caused; readonly span: Span }> {
  const { db } = environment.namespace.database;
  const broker = serverProcesses.find(({ name }) => name === 'kafka');
  const logDirectory = broker === undefined ? null : findLogDirectory(broker.pid);
  const empty = await readDatabaseBytes(db);
  await warmUp(environment);
  const threaded = await findThreadedProcesses(serverProcesses);
  await environment.sleep(LAST_WORK_MS);
  const before = await readCounts(environment, logDirectory);
  const threadMeter = startThreadMeter(threaded);
  const { published, processes, span } = await observe(environment, () => untilDone(environment, load));
  const threads = threadMeter.stop();
  const after = await readCounts(environment, logDirectory);
  const stored = bytesEach(await readDatabaseBytes(db), empty, WARM_UP_EVENTS + published.events);
  const caused = {
    deliveries: published.events,
    processes,
    commands: differenceOf(after.commands, before.commands),
    requests: differenceOf(after.requests, before.requests),
    messages: after.messages && differenceOf(after.messages, before.messages ?? {}),
    stored,
    threads,
  };
  return { caused, span };
}

/** Does not query the database, because that would be counted. */
async function untilDone(environment: Environment, load: Load): Promise<Published> {
  const before = environment.posts();
  const done = await load(environment);
  while (environment.posts() < before + done.events) await environment.sleep(POLL_MS);
  await environment.sleep(LAST_WORK_MS);
  return done;
}

/** @param logDirectory of a broker on this machine; null: the bytes of messages are unknown */
async function readCounts(environment: Environment, logDirectory: string | null) {
  const { database, env } = environment.namespace;
  return {
    commands: await readCommands(database.db),
    requests: await environment.kafkaRequests(),
    messages: logDirectory === null ? null : readTopicBytes(logDirectory, env.TOPIC_PREFIX),
  };
}

/** Commands that the database has received from all clients, by name. */
async function readCommands(db: Db): Promise<Counts> {
  const { metrics } = await db.admin().serverStatus();
  const commands = Object.entries<{ readonly total?: unknown }>(metrics.commands);
  return Object.fromEntries(
    commands
      .filter(([name, { total }]) => total !== undefined && !NOT_COUNTED.test(name))
      .map(([name, { total }]) => [name, Number(total)]),
  );
}

function bytesEach(full: DatabaseBytes, empty: DatabaseBytes, count: number): DatabaseBytes {
  return {
    documents: (full.documents - empty.documents) / count,
    indexes: (full.indexes - empty.indexes) / count,
  };
}
