import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Db } from 'mongodb';
import type { Environment } from '../environment/environment.js';
import { healthy } from '../environment/population.js';
import { type Measurement, measureDeliveries } from '../environment/run-measurement.js';
import type { Published } from '../generator/plan.js';
import { type Counts, differenceOf } from '../measure/counts.js';
import { type CpuProfile, timeOfParts } from '../measure/profile-parts.js';
import type { Span } from '../measure/timeline.js';
import type { Figure, Part } from '../report/row.js';
import { type Scenario, secondsOf } from '../scenario.js';
import { observe, publishStreams, warmUp } from './load.js';

const ENDPOINTS = 100;
/** Deliveries in flight at full load. */
const WINDOW = 4_000;
/** How long the last deliveries may take until they are recorded and acknowledged. */
const LAST_WORK_MS = 2_000;
const POLL_MS = 200;
/** Commands of connections, monitors and of the bench itself. */
const NOT_COUNTED = /^(hello|isMaster|ping|serverStatus|buildInfo|endSessions|replSet.*|_.*|<UNKNOWN>)$/;
const COMMANDS = ['find', 'aggregate', 'insert', 'update', 'delete', 'findAndModify', 'commitTransaction'];
const REQUESTS = ['Fetch', 'Produce', 'OffsetCommit', 'Heartbeat'];

type Load = (environment: Environment) => Promise<Published>;

export const cost: Scenario = {
  name: 'cost',
  about: `Commands to the database and requests to the broker for each delivery to ${ENDPOINTS} endpoints, and CPU.`,
  run(context) {
    const { profiles } = context.options;
    const measurement = (label: string, load: Load) => costOf(label, load, profiles);
    const atRate = (perSecond: number, usual: number): Measurement =>
      measurement(`${perSecond} a second`, (environment) =>
        publishStreams(environment, [{ perSecond }], { seconds: secondsOf(context, usual) }),
      );
    const seconds = secondsOf(context, 30);
    return measureDeliveries(context, [
      atRate(1, 60),
      atRate(100, 30),
      atRate(500, 30),
      measurement('full load', ({ publish }) => publish({ kind: 'flat-out', seconds, window: WINDOW })),
    ]);
  },
};

/** @param profiles the directory of CPU profiles; null: none are written */
function costOf(label: string, load: Load, profiles: string | null): Measurement {
  return {
    label,
    groups: [healthy('quick', ENDPOINTS)],
    countRequests: true,
    async run(environment) {
      const { db } = environment.namespace.database;
      await warmUp(environment);
      await environment.pause(LAST_WORK_MS);
      const [commands, requests] = [await readCommands(db), await environment.kafkaRequests()];
      const dispatcher = environment.services.find(({ name }) => name === 'dispatcher');
      const { published, processes, span } = await observe(environment, async () => {
        const before = environment.posts();
        const done = await load(environment);
        // The database is not asked, because that would be counted.
        while (environment.posts() < before + done.events) await environment.pause(POLL_MS);
        await environment.pause(LAST_WORK_MS);
        return done;
      });
      const byCommand = differenceOf(await readCommands(db), commands);
      const byRequest = differenceOf(await environment.kafkaRequests(), requests);
      const each = (count: number) => count / published.events;
      const parts: Part[] = [
        { label: `${label}: MongoDB commands`, figures: figuresOf(byCommand, COMMANDS, each) },
        { label: `${label}: Kafka requests`, figures: figuresOf(byRequest, REQUESTS, each) },
      ];
      return {
        deliveries: published.events,
        processes,
        figures: () => [
          { name: 'MongoDB commands each', unit: '', value: each(totalOf(byCommand)) },
          { name: 'Kafka requests each', unit: '', value: each(totalOf(byRequest)) },
        ],
        // The profile is complete once the process has ended.
        parts: () => [
          ...parts,
          ...(profiles === null || dispatcher === undefined
            ? []
            : [profilePart(label, readProfile(profiles, dispatcher.pid), { span, each })]),
        ],
      };
    },
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

function totalOf(counts: Counts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/** One figure for each of these names, and one for all others. */
function figuresOf(counts: Counts, names: readonly string[], each: (count: number) => number): Figure[] {
  const named = names.map((name) => ({ name, unit: '', value: each(counts[name] ?? 0) }));
  const others = Object.entries(counts).filter(([name]) => !names.includes(name));
  return [...named, { name: 'others', unit: '', value: each(totalOf(Object.fromEntries(others))) }];
}

function readProfile(directory: string, pid: number): CpuProfile {
  const file = readdirSync(directory).find((name) => name.includes(`.${pid}.`));
  if (file === undefined) throw new Error(`${directory} has no CPU profile of process ${pid}`);
  return JSON.parse(readFileSync(join(directory, file), 'utf8'));
}

function profilePart(
  label: string,
  profile: CpuProfile,
  { span, each }: { readonly span: Span; readonly each: (count: number) => number },
): Part {
  const figures = [...timeOfParts(profile, span)].map(([name, time]) => ({
    name,
    unit: 'µs',
    value: each(time),
  }));
  return { label: `${label}: dispatcher`, figures };
}
