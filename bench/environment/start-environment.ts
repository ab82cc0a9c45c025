import { randomBytes, randomInt } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { toDocument } from '@postrider/shared/mongo/documents';
import { createSecretBox } from '@postrider/shared/runtime/secret-box';
import { chooseFreePorts } from '#dev/processes/free-ports';
import type { CalledFor } from '../account/called-deliveries.js';
import type { Bench } from '../bench.js';
import { machineTimeOf } from '../measure/clock.js';
import { readJoinedAt } from '../processes/service-log.js';
import { loopbackAddresses } from '../receiver/addresses.js';
import { makePopulation, type Population } from '../world/population.js';
import type { World } from '../world/world.js';
import type { Environment, Setup } from './environment.js';
import type { Processes } from './processes.js';
import { owedRows, promisedPosts } from './promised-posts.js';
import { untilDrained } from './until-drained.js';

/** Populates a world, connects the generator and starts the dispatchers. */
export async function startEnvironment(
  bench: Bench,
  setup: Setup,
  world: World,
  processes: Processes,
): Promise<Environment> {
  const { receiver, generator, signal } = processes;
  const population = await populate(setup, world, processes);
  const seed = randomInt(2 ** 32);
  const { workspaces } = population;
  await generator.ask('connect', { env: world.env, workspaces, seed, bodyBytes: bench.options.bodyBytes });
  const posts = countPosts(processes);
  const called: CalledFor[] = [];
  const pause = (ms: number): Promise<void> => wait(ms, undefined, { signal });
  for (let started = 0; started < (setup.dispatchers ?? 1); started += 1) await processes.start('dispatcher');

  return {
    world,
    population,
    seed,
    publish: (plan) => unlessAborted(generator.ask('run', plan), signal),
    enough: () => generator.ask('enough'),
    called,
    owe: (calls) => void called.push(...calls),
    async drained() {
      const eventsOf = await generator.ask('tally');
      const promised = promisedPosts(population, setup.promised, eventsOf) + called.length;
      const owed = owedRows(population, eventsOf) + called.length;
      return untilDrained({
        posts: () => ({ promised, came: sumOf(setup.promised.map(({ group }) => posts(group))) }),
        settled: () => isSettled(setup, world, { population, owed }),
        pause,
        progress: bench.progress,
      });
    },
    measure: processes.measure,
    services: processes.services,
    start: processes.start,
    stop: processes.stop,
    run: processes.run,
    async joinedAt() {
      const dispatcher = processes.services.find(({ name }) => name === 'dispatcher');
      const at = dispatcher === undefined ? null : await readJoinedAt(dispatcher.logFile);
      if (at === null) throw new Error('the log of no dispatcher says when it joined its group');
      return machineTimeOf(at);
    },
    posts,
    hurry: () => receiver.ask('hurry'),
    pause,
  };
}

async function populate(setup: Setup, world: World, { receiver }: Processes): Promise<Population> {
  const endpoints = sumOf(setup.groups.map(({ count }) => count));
  const origins = await receiver.ask('listen', loopbackAddresses(endpoints, process.platform));
  const [freePort] = await chooseFreePorts([undefined]);
  const population = makePopulation(
    {
      groups: setup.groups,
      perWorkspace: setup.perWorkspace ?? 1,
      hosts: { origins, refusingOrigin: `http://127.0.0.1:${freePort}` },
    },
    { sealing: createSecretBox([world.encryptionKey]), randomBytes, now: new Date() },
  );
  const documents = population.endpoints.map(({ endpoint }) => toDocument(endpoint));
  await world.database.collections.endpoints.insertMany(documents);
  return population;
}

/** Follows what the receiver tells, and tells the generator. @returns POSTs of a group so far */
function countPosts({ receiver, generator }: Processes): (group: string) => number {
  let counts: Readonly<Record<string, number>> = {};
  receiver.onNotice((now) => {
    counts = now;
    generator.ask('arrived', sumOf(Object.values(now))).catch(() => {});
  });
  return (group) => counts[group] ?? 0;
}

/**
 * Is every row there, and none of the promised ones still to be worked on? A look at a count that the database keeps
 * and at an index. The number of POSTs alone does not tell: some may have been made twice, and others not yet.
 */
async function isSettled(
  { groups, promised }: Setup,
  { database }: World,
  { population, owed }: { readonly population: Population; readonly owed: number },
): Promise<boolean> {
  const { deliveries } = database.collections;
  const names = new Set(promised.map(({ group }) => group));
  // Where some are ill, rows may be fewer: who fails too often is disabled, and owed no further events.
  const areAllMeant = names.size === groups.length;
  if (areAllMeant && (await deliveries.estimatedDocumentCount()) < owed) return false;
  const meant = population.endpoints.filter(({ group }) => names.has(group));
  const ids = meant.map(({ endpoint }) => endpoint.id);
  const left = await deliveries.findOne(
    { ...(!areAllMeant && { endpointId: { $in: ids } }), dueAt: { $exists: true } },
    { projection: { _id: 1 }, hint: { endpointId: 1, dueAt: 1 } },
  );
  return left === null;
}

function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
