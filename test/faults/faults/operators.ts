import { setTimeout as wait } from 'node:timers/promises';
import type { Fault } from '../fault.js';
import { CAPRICIOUS, type LoadedEndpoint, openEndpoint, rotate } from '../load/population.js';
import { replaySome, sendTest } from '../load/sends.js';
import type { Random } from '../random.js';
import type { World } from '../world/world.js';

const KINDS = ['change', 'rotation', 'deletion', 'replay', 'test'] as const;
type Kind = (typeof KINDS)[number];
/** Accepted calls of each kind. */
const EACH = 100;
const WITHIN_MS = 90_000;
const PATHS = Array.from({ length: 8 }, (_, index) => `/storm-${index + 1}`);
const OPERATORS_OF_EACH = 2;
const REPLAYS_AT_ONCE = 3;

/** Whoever deletes its endpoint opens the next. */
interface Slot {
  endpoint: LoadedEndpoint;
}

/** Changes an endpoint in one of the ways that there are. @returns whether that was accepted */
async function change({ client }: World, { id }: LoadedEndpoint, random: Random): Promise<boolean> {
  const patch = (to: object) => client.call('PATCH', `/webhooks/${id}`, to);
  switch (random.between(1, 3)) {
    case 1:
      return (await patch({ description: `changed ${random.next()}` })) !== null;
    case 2: {
      const eventTypes = ['api_token.created', ...(random.next() < 0.5 ? ['api_token.revoked'] : [])];
      return (await patch({ eventTypes })) !== null;
    }
    default: {
      const disabled = await patch({ enabled: false });
      await wait(random.between(0, 400));
      return (await patch({ enabled: true })) !== null && disabled !== null;
    }
  }
}

/** Does one thing to one endpoint that an operator may do. @returns how many calls were accepted for it */
async function operate(world: World, slot: Slot, kind: Kind, random: Random): Promise<number> {
  const { endpoint } = slot;
  switch (kind) {
    case 'change':
      return Number(await change(world, endpoint, random));
    case 'rotation':
      return Number(await rotate(world, endpoint));
    case 'replay':
      return replaySome(world, { endpointId: endpoint.id, most: REPLAYS_AT_ONCE, of: 'latest' });
    case 'test':
      return Number(await sendTest(world, endpoint.id));
    case 'deletion': {
      if ((await world.client.call('DELETE', `/webhooks/${endpoint.id}`)) === null) return 0;
      slot.endpoint = await openEndpoint(world, endpoint.path, CAPRICIOUS);
      return 1;
    }
  }
}

/** Several operators to each endpoint, until enough was accepted of each kind. @throws Error when that takes too long */
async function storm(world: World): Promise<void> {
  const accepted = new Map<Kind, number>(KINDS.map((kind) => [kind, 0]));
  const until = Date.now() + WITHIN_MS;
  const goesOn = () => Date.now() < until && [...accepted.values()].some((count) => count < EACH);
  const work = async (slot: Slot, random: Random) => {
    while (goesOn()) {
      const kind = random.pick(KINDS);
      const count = await operate(world, slot, kind, random);
      accepted.set(kind, (accepted.get(kind) ?? 0) + count);
      await wait(random.between(500, 2_000));
    }
  };
  const slots = await Promise.all(
    PATHS.map(async (path): Promise<Slot> => ({ endpoint: await openEndpoint(world, path, CAPRICIOUS) })),
  );
  await wait(2_000);
  await Promise.all(
    slots.flatMap((slot, index) =>
      Array.from({ length: OPERATORS_OF_EACH }, (_, operator) =>
        work(slot, world.random.branch(index, operator)),
      ),
    ),
  );
  const told = [...accepted].map(([kind, count]) => `${kind} ${count}`).join(', ');
  world.say(`accepted: ${told}`);
  if ([...accepted.values()].some((count) => count < EACH)) throw new Error(`too few were accepted: ${told}`);
}

export const OPERATORS: readonly Fault[] = [
  {
    number: 24,
    name: `${EACH} changes, rotations, deletions, replays and tests each during deliveries, two operators to an endpoint`,
    quick: false,
    run: storm,
  },
];
