import { distinct } from '@postrider/shared/domain/distinct';
import { poll } from '#dev/processes/poll';
import type { Step } from '../fault.js';
import type { World } from '../world/world.js';
import { mostMissing } from './arrival-order.js';
import { atLeast } from './frequent.js';

/** How long it may take until deliveries are held, or are replayed, in milliseconds. */
export const REPLAYED_WITHIN_MS = 240_000;
/**
 * POSTs of an endpoint begin in order, and at most four are in flight (MAX_CONCURRENCY). So when one arrives, at most three earlier
 * ones can be missing.
 */
const MAX_MISSING = 3;

interface Row {
  readonly _id: string;
  readonly endpointId: string;
  readonly status: string;
  readonly replayedFrom: string | null;
}

const rowsOf = ({ db }: World) => db.collection<Row>('deliveries');
const idsOf = ({ endpoints }: World, some: readonly string[]) =>
  endpoints.filter(({ path }) => some.includes(path)).map(({ id }) => id);

/** Disables the endpoints, creates events, and waits until each of them is held. */
export const hold =
  (some: readonly string[], events: number): Step =>
  async (world) => {
    const ids = idsOf(world, some);
    for (const id of ids) await world.client.call('PATCH', `/webhooks/${id}`, { enabled: false });
    await world.load.burst(events);
    const least = ids.length * events;
    const held = { endpointId: { $in: ids }, failureReason: 'endpoint_disabled' };
    const isHeld = async () => (await rowsOf(world).countDocuments(held)) >= least || undefined;
    await poll(isHeld, { everyMs: 500, timeoutMs: REPLAYED_WITHIN_MS, what: `${least} held deliveries` });
    world.log(`${await rowsOf(world).countDocuments(held)} deliveries are held`);
  };

/** Enables the endpoints. @param replayHeld what the call says about held deliveries */
export const enable =
  (some: readonly string[], replayHeld: { readonly replayHeld?: true }): Step =>
  async (world) => {
    for (const id of idsOf(world, some)) {
      const path = `/webhooks/${id}`;
      // A call whose answer was lost may have been made.
      const isEnabled = async () => {
        if ((await world.client.call('PATCH', path, { enabled: true, ...replayHeld })) !== null) return true;
        const endpoint = await world.client.call<{ enabled: boolean }>('GET', path);
        return endpoint?.enabled || undefined;
      };
      await poll(isEnabled, { everyMs: 500, timeoutMs: 60_000, what: `enabling ${id}` });
    }
  };

/** Waits until each held delivery of the endpoints has a replay that was delivered. */
export const untilReplayed =
  (some: readonly string[]): Step =>
  async (world) => {
    const ids = idsOf(world, some);
    const held = { endpointId: { $in: ids }, failureReason: 'endpoint_disabled', replayedFrom: null };
    const replayed = { endpointId: { $in: ids }, replayedFrom: { $ne: null }, status: 'delivered' };
    const isReplayed = async () => {
      const [all, done] = [
        await rowsOf(world).countDocuments(held),
        await rowsOf(world).countDocuments(replayed),
      ];
      return done >= all || undefined;
    };
    await poll(isReplayed, {
      everyMs: 1_000,
      timeoutMs: REPLAYED_WITHIN_MS,
      what: 'the replay of held deliveries',
    });
  };

/** @throws Error unless each held delivery was replayed once */
export const eachIsReplayedOnce =
  (some: readonly string[]): Step =>
  async (world) => {
    const ids = idsOf(world, some);
    const rows = await rowsOf(world)
      .find({ endpointId: { $in: ids } }, { projection: { replayedFrom: 1, status: 1, failureReason: 1 } })
      .toArray();
    const sources = rows.filter((row) => row.replayedFrom === null && row.status === 'failed_permanent');
    const replays = Map.groupBy(rows, ({ replayedFrom }) => replayedFrom);
    const wrong = sources.filter(({ _id }) => replays.get(_id)?.length !== 1);
    world.log(`${sources.length - wrong.length} of ${sources.length} deliveries were replayed once`);
    atLeast(1, sources.length, 'deliveries were held');
    if (wrong.length > 0)
      throw new Error(`${wrong[0]?._id} was replayed ${replays.get(wrong[0]?._id ?? '')?.length ?? 0} times`);
  };

/** @throws Error unless each replay arrived, in the order of its events, except for POSTs that were in flight together */
export const arrivedInOrder =
  (path: string): Step =>
  async (world) => {
    const ids = idsOf(world, [path]);
    const replays = await rowsOf(world)
      .find({ endpointId: { $in: ids }, replayedFrom: { $ne: null } })
      .sort({ replayedFrom: 1 })
      .toArray();
    const expected = new Map(replays.map(({ _id }, index) => [_id, index]));
    // The oracle checks whether a POST was repeated without a reason.
    const arrived = distinct(world.receiver.received.map(({ deliveryId }) => deliveryId)).filter((id) =>
      expected.has(id),
    );
    if (arrived.length !== replays.length)
      throw new Error(`${arrived.length} of ${replays.length} replays arrived`);
    const places = arrived.map((id) => expected.get(id) ?? 0);
    const missing = mostMissing(places);
    const displaced = Math.max(...places.map((place, index) => Math.abs(place - index)));
    world.log(
      `a replay arrived before ${missing} older ones at most, and ${displaced} places from its own at most`,
    );
    if (missing > MAX_MISSING) throw new Error('replays did not arrive oldest first');
  };
