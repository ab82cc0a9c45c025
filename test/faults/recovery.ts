import { setTimeout as wait } from 'node:timers/promises';
import type { Fault } from './fault.js';
import type { AcceptedEvent } from './oracle/evidence.js';
import type { World } from './world/world.js';

const LOOK_EVERY_MS = 500;
/** Work that is younger than this is under way, not behind. */
const UNDER_WAY_MS = 2_000;
const SAY_EVERY_MS = 10_000;
const PATIENCE_MS = 150_000;
/** So many looks in a row have to find nothing wrong: one alone may fall between two setbacks. */
const LOOKS = 2;

/**
 * Recovered is who works again and has caught up: an event from after the fault has all its rows, every event is fanned
 * out, nothing is overdue.
 *
 * @returns when that was seen for the first of two times in a row; null when that did not happen in time
 */
export async function untilRecovered(world: World, fault: Fault, ended: number): Promise<number | null> {
  const overloaded = world.endpoints
    .filter(({ path }) => fault.overloaded?.includes(path))
    .map(({ id }) => id);
  const fanOut = fanOutOf(world, fault);
  let sayAgainAt = Date.now() + SAY_EVERY_MS;
  return until(fault, LOOKS, async () => {
    const before = Date.now() - UNDER_WAY_MS;
    const overdue = await world.db
      .collection('deliveries')
      .countDocuments({ dueAt: { $lt: new Date(before) }, endpointId: { $nin: overloaded } });
    const behind = await fanOut.behind(before);
    const worksAgain = await fanOut.hasReachedAll(ended);
    if (Date.now() > sayAgainAt) {
      const news = worksAgain ? '' : ', no event from after the fault has all its rows';
      world.say(`${overdue} deliveries are overdue, ${behind} events are not fanned out${news}`);
      sayAgainAt += SAY_EVERY_MS;
    }
    return overdue === 0 && behind === 0 && worksAgain;
  });
}

/** Waits until every delivery has come to an end and everything promised is published. */
export async function untilQuiet(world: World, fault: Fault): Promise<void> {
  const fanOut = fanOutOf(world, fault);
  const quiet = await until(fault, 1, async () => {
    const open = await world.db.collection('deliveries').countDocuments({ dueAt: { $exists: true } });
    const promised = await world.db.collection('outbox').countDocuments();
    return open === 0 && promised === 0 && (await fanOut.behind(Date.now() + 1)) === 0;
  });
  if (quiet === null) world.say('it did not become quiet in time');
}

interface FanOut {
  /** How many events that were accepted before have no delivery. */
  behind(before: number): Promise<number>;
  /** Does an event that was sent after a moment have a row for each endpoint that it is owed to? */
  hasReachedAll(after: number): Promise<boolean>;
}

function fanOutOf({ db, load }: World, { retentionMs }: Fault): FanOut {
  const deliveries = db.collection('deliveries');
  const done = new Set<string>();
  let reachedAll = false;
  const mayBeGone = ({ sentAt }: AcceptedEvent) =>
    retentionMs !== undefined && sentAt < Date.now() - retentionMs;
  return {
    async behind(before) {
      const missing = load.accepted.filter(
        (event) => event.answeredAt < before && !done.has(event.tokenId) && !mayBeGone(event),
      );
      if (missing.length === 0) return 0;
      const tokens = missing.map(({ tokenId }) => tokenId);
      const found = await deliveries.distinct('payload.tokenId', { 'payload.tokenId': { $in: tokens } });
      for (const tokenId of found) done.add(tokenId);
      return missing.length - found.length;
    },
    async hasReachedAll(after) {
      const event = load.accepted.find(({ sentAt }) => sentAt > after);
      if (event === undefined || reachedAll) return reachedAll;
      const owed = await db.collection<{ _id: string }>('endpoints').distinct('_id', owedTo(event));
      const reached = await deliveries.distinct('endpointId', { 'payload.tokenId': event.tokenId });
      reachedAll = owed.every((endpointId) => reached.includes(endpointId));
      return reachedAll;
    },
  };
}

/** Endpoints that have been as they are since before the event. */
function owedTo({ sentAt }: AcceptedEvent) {
  const since = { $lt: new Date(sentAt) };
  return {
    enabled: true,
    deletedAt: null,
    enabledSince: since,
    subscriptions: { $elemMatch: { eventType: 'api_token.created', since } },
  };
}

/** @returns when it held for the first of so many looks in a row */
async function until(
  { patienceMs = PATIENCE_MS }: Fault,
  looks: number,
  holds: () => Promise<boolean>,
): Promise<number | null> {
  const deadline = Date.now() + patienceMs;
  let since: number | null = null;
  let inARow = 0;
  while (Date.now() < deadline) {
    const at = Date.now();
    const isSo = await holds().catch(() => false);
    inARow = isSo ? inARow + 1 : 0;
    since = isSo ? (since ?? at) : null;
    if (inARow === looks) return since;
    await wait(LOOK_EVERY_MS);
  }
  return null;
}
