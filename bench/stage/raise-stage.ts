import { randomBytes, randomInt } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { toDocument } from '@postrider/shared/mongo/documents';
import { secretBox } from '@postrider/shared/runtime/secret-box';
import { chooseFreePorts } from '#dev/processes/free-ports';
import type { Bench } from '../bench.js';
import { wallToMachineMs } from '../measure/clock.js';
import { readJoinedAt } from '../processes/dispatcher-log.js';
import { type Meter, startMeter } from '../processes/meter.js';
import { loopbackAddresses } from '../receiver/addresses.js';
import { makePopulation, type Population } from '../world/population.js';
import type { World } from '../world/world.js';
import type { Crew } from './crew.js';
import { promisedPosts } from './promised-posts.js';
import type { Setup, Stage } from './stage.js';
import { untilDrained } from './until-drained.js';

/** Populates a world, connects the generator and starts the dispatchers. */
export async function raiseStage(bench: Bench, setup: Setup, world: World, crew: Crew): Promise<Stage> {
  const { receiver, generator, dispatchers, signal } = crew;
  const population = await populate(setup, world, crew);
  const seed = randomInt(2 ** 32);
  await generator.ask('connect', {
    ...{ brokers: world.servers.brokers, registryUrl: world.servers.registryUrl },
    ...{ topicPrefix: world.topicPrefix, workspaces: population.workspaces },
    ...{ seed, bodyBytes: bench.options.bodyBytes },
  });
  let counts: Readonly<Record<string, number>> = {};
  receiver.onNotice((now) => {
    counts = now;
    const all = Object.values(now).reduce((sum, count) => sum + count, 0);
    generator.ask('arrived', all).catch(() => {});
  });
  const meters: Meter[] = [];
  const watched = ({ pid }: { pid: number }) => ({ name: 'dispatcher', pid, fresh: true });
  const pause = (ms: number): Promise<void> => wait(ms, undefined, { signal });
  const join = async () => {
    const dispatcher = await crew.start();
    for (const meter of meters) meter.watch(watched(dispatcher));
  };
  for (let started = 0; started < (setup.dispatchers ?? 1); started += 1) await join();

  return {
    world,
    population,
    seed,
    join,
    pause,
    publish: (plan) => generator.ask('run', plan),
    async drained() {
      const tally = await generator.ask('tally');
      const promised = promisedPosts(population, setup.promised, tally);
      return untilDrained({
        posts: () => ({ promised, came: sumOf(setup.promised.map(({ group }) => counts[group] ?? 0)) }),
        settled: () => isSettled(setup, world, population),
        pause,
        progress: bench.progress,
      });
    },
    measure() {
      const children = [
        { name: 'receiver', pid: receiver.pid, fresh: true },
        { name: 'generator', pid: generator.pid, fresh: true },
      ];
      const meter = startMeter([...dispatchers.map(watched), ...children, ...bench.serverProcesses]);
      meters.push(meter);
      return { resident: () => meter.resident('dispatcher'), stop: meter.stop };
    },
    async leave() {
      const last = dispatchers.at(-1);
      if (last !== undefined) await crew.stop(last);
    },
    async joinedAt() {
      const at = await readJoinedAt(crew.logs[0] ?? '');
      if (at === null) throw new Error('the log of the dispatcher does not say when it joined its group');
      return at + wallToMachineMs();
    },
    posts: (group) => counts[group] ?? 0,
    hurry: () => receiver.ask('hurry'),
  };
}

async function populate(setup: Setup, world: World, { receiver }: Crew): Promise<Population> {
  const endpoints = sumOf(setup.groups.map(({ count }) => count));
  const origins = await receiver.ask('listen', loopbackAddresses(endpoints, process.platform));
  const [freePort] = await chooseFreePorts([undefined]);
  const population = makePopulation(
    {
      groups: setup.groups,
      perWorkspace: setup.perWorkspace ?? 1,
      hosts: { origins, refusingOrigin: `http://127.0.0.1:${freePort}` },
    },
    { sealing: secretBox([world.encryptionKey]), randomBytes, now: new Date() },
  );
  await world.database.collections.endpoints.insertMany(
    population.endpoints.map(({ endpoint }) => toDocument(endpoint)),
  );
  return population;
}

/** One look at an index: are any of the promised deliveries still to be worked on? */
async function isSettled({ groups, promised }: Setup, { database }: World, population: Population) {
  const names = new Set(promised.map(({ group }) => group));
  const ids = population.endpoints.filter(({ group }) => names.has(group)).map(({ endpoint }) => endpoint.id);
  const meant = names.size === groups.length ? {} : { endpointId: { $in: ids } };
  const left = await database.collections.deliveries.findOne(
    { ...meant, dueAt: { $exists: true } },
    { projection: { _id: 1 }, hint: { endpointId: 1, dueAt: 1 } },
  );
  return left === null;
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
