import { setTimeout as sleep } from 'node:timers/promises';
import { poll } from '#dev/processes/poll';
import type { Step } from '../fault.js';
import { storeEndpoints } from '../load/store-endpoints.js';
import { countReassignments } from '../world/disruptions.js';
import { readFanOutLog, repeatsOfFinished } from '../world/fan-out-log.js';
import { repeatUntilEnded } from '../world/repeat-until-ended.js';
import type { World } from '../world/world.js';
import { atLeast, paths } from './frequent.js';
import { createEvent, openOtherWorkspace } from './other-workspaces.js';
import { untilSettled, watchChanges } from './settled-dispatchers.js';

const CROWD = 'crowd';
/** Six pages of subscribers. */
export const CROWD_PATHS = paths('/crowd', 3_000);
/** So many events are between the first and the last page; the next ones are created as soon as they end. */
const OPEN_EVENTS = 2;
/** No events are created while so many deliveries wait: sending may be slower than fan-out. */
const MAX_WAITING = 6_000;
const POLL_EVERY_MS = 50;
export const KILLS = 3;
/** Crashes at a failpoint may come before the progress of the first page, or after that of the last one. */
const MIN_KILLS_IN_MIDDLE = KILLS;
const MIN_MOVES_IN_MIDDLE = 1;
const LONGEST_WORK_MS = 1_000;
const WITHIN_MS = 60_000;

interface Interruptions {
  /** Processes that were killed while an event was between its pages. */
  kills: number;
  /** Partitions that moved from a living process to another one meanwhile. */
  moves: number;
}

const interruptions = new WeakMap<World, Interruptions>();

export const openCrowd: Step = async (world) => {
  await openOtherWorkspace(world, CROWD);
  world.endpoints.push(...(await storeEndpoints(world, CROWD, CROWD_PATHS)));
};

const crowdEvents = ({ otherEvents }: World) => otherEvents.filter(({ workspace }) => workspace === CROWD);

interface Progress {
  readonly isComplete: boolean;
}

/** Progress is stored only for events with more than one page, and no other workspace has so many endpoints. */
const progressOf = ({ db }: World) => db.collection<Progress>('fan_out_progress').find().toArray();
const isInMiddle = async (world: World) => (await progressOf(world)).some(({ isComplete }) => !isComplete);
const countCompleted = async (world: World) =>
  (await progressOf(world)).filter(({ isComplete }) => isComplete).length;

/** Keeps some events between their pages. */
function keepEventsOpen(world: World): () => Promise<void> {
  const waiting = world.db.collection('deliveries');
  return repeatUntilEnded(POLL_EVERY_MS, async () => {
    const open = crowdEvents(world).length - (await countCompleted(world));
    const count = await waiting.countDocuments({ dueAt: { $exists: true } }, { limit: MAX_WAITING });
    if (open < OPEN_EVENTS && count < MAX_WAITING)
      await createEvent(world, CROWD, `crowd ${crowdEvents(world).length}`);
  });
}

/** Counts kills and moves in the middle of an event. */
function watchInterruptions(world: World): () => Promise<void> {
  const counts = { kills: 0, moves: 0 };
  interruptions.set(world, counts);
  const countMoves = () => countReassignments(world.services.disruptions());
  const seen = { kills: world.services.kills(), moves: countMoves() };
  return repeatUntilEnded(POLL_EVERY_MS, async () => {
    const now = { kills: world.services.kills(), moves: countMoves() };
    const isDisturbed = now.kills > seen.kills || now.moves > seen.moves;
    if (isDisturbed && (await isInMiddle(world))) {
      counts.kills += now.kills - seen.kills;
      counts.moves += now.moves - seen.moves;
    }
    Object.assign(seen, now);
  });
}

/** Runs steps while events for all of the crowd's endpoints are created. */
export const underStorm =
  (steps: readonly Step[]): Step =>
  async (world) => {
    const ends = [keepEventsOpen, watchInterruptions, watchChanges].map((start) => start(world));
    try {
      for (const step of steps) await step(world);
    } finally {
      await Promise.all(ends.map((end) => end()));
    }
  };

export const untilInMiddle: Step = (world) =>
  poll(async () => (await isInMiddle(world)) || undefined, {
    everyMs: 10,
    timeoutMs: WITHIN_MS,
    what: 'an event between its pages',
  });

/** Kills the dispatcher that stored rows last, at a random moment of an event. */
export const killInMiddle: Step = async (world) => {
  const { services, random, directory } = world;
  await untilInMiddle(world);
  await sleep(random.between(0, LONGEST_WORK_MS));
  // Meanwhile the event may have ended.
  await untilInMiddle(world);
  const last = readFanOutLog(directory).findLast((line) => line.kind === 'chunk' && line.rows > 100);
  const owner = services.running('dispatcher').find((one) => one.pid() === last?.pid);
  await (owner ?? random.pick(services.running('dispatcher'))).kill();
};

/** A dispatcher joins, and another one leaves, both in the middle of an event. */
export const joinAndLeave: Step = async (world) => {
  const { services, random } = world;
  await untilInMiddle(world);
  await services.start('dispatcher');
  await untilSettled(world);
  await untilInMiddle(world);
  await random.pick(services.running('dispatcher')).stop();
};

export const untilFannedOut: Step = async (world) => {
  const events = crowdEvents(world).length;
  await poll(async () => (await countCompleted(world)) >= events || undefined, {
    everyMs: 200,
    timeoutMs: WITHIN_MS,
    what: `the fan-out of ${events} events`,
  });
};

/** @throws Error unless each of the crowd's endpoints has one delivery of each event */
export const hasEachOnce: Step = async (world) => {
  const deliveries = world.db.collection('deliveries');
  for (const { tokenId } of crowdEvents(world)) {
    const rows = await deliveries
      .find({ 'payload.tokenId': tokenId }, { projection: { endpointId: 1 } })
      .toArray();
    const endpoints = new Set(rows.map(({ endpointId }) => endpointId)).size;
    if (rows.length !== CROWD_PATHS.length || endpoints !== CROWD_PATHS.length)
      throw new Error(`an event has ${rows.length} deliveries to ${endpoints} endpoints`);
  }
  world.log(
    `${crowdEvents(world).length} events have one delivery to each of ${CROWD_PATHS.length} endpoints`,
  );
};

/** @throws Error if rows of a chunk were stored again although a process had stored progress beyond them */
export const repeatsNoFinishedChunk: Step = ({ directory, log }) => {
  const lines = readFanOutLog(directory);
  const chunks = lines.filter((line) => line.kind === 'chunk');
  const repeated = chunks.reduce((sum, chunk) => sum + chunk.repeated, 0);
  const wrong = repeatsOfFinished(lines);
  log(`${repeated} rows were inserted again, ${wrong.length} chunks of them although they were finished`);
  atLeast(1, repeated, 'rows of unfinished chunks were inserted again');
  if (wrong.length > 0) throw new Error(`finished chunks were repeated, such as ${JSON.stringify(wrong[0])}`);
};

export const expectInterruptions: Step = (world) => {
  const { kills, moves } = interruptions.get(world) ?? { kills: 0, moves: 0 };
  world.log(`${kills} kills and ${moves} moves of partitions came in the middle of an event`);
  atLeast(MIN_KILLS_IN_MIDDLE, kills, 'kills came in the middle of an event');
  atLeast(MIN_MOVES_IN_MIDDLE, moves, 'moves of partitions came in the middle of an event');
};
