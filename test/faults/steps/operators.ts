import { setTimeout as sleep } from 'node:timers/promises';
import type { Step } from '../fault.js';
import { type Endpoint, openEndpoint, REJECTS_SOME, rotateSecret } from '../load/population.js';
import { replay, sendTest } from '../load/sends.js';
import type { Random } from '../random.js';
import type { World } from '../world/world.js';
import { paths } from './frequent.js';

/** Number of calls of each operation that must be accepted. */
export const CALLS = 100;
const WITHIN_MS = 90_000;
const OPERATORS_PER_ENDPOINT = 2;

/** The current endpoint of a path: an operator that deletes it creates the next one. */
interface Slot {
  endpoint: Endpoint;
}

/** Changes an endpoint in one of three ways. @returns whether that was accepted */
async function update({ client }: World, { id }: Endpoint, random: Random): Promise<boolean> {
  const patch = async (input: object) => (await client.call('PATCH', `/webhooks/${id}`, input)) !== null;
  switch (random.between(1, 3)) {
    case 1:
      return patch({ description: `changed ${random.next()}` });
    case 2:
      return patch({
        eventTypes: ['api_token.created', ...(random.next() < 0.5 ? ['api_token.revoked'] : [])],
      });
    default: {
      const disabled = await patch({ enabled: false });
      await sleep(random.between(0, 400));
      return (await patch({ enabled: true })) && disabled;
    }
  }
}

async function replaceEndpoint(world: World, slot: Slot): Promise<boolean> {
  if ((await world.client.call('DELETE', `/webhooks/${slot.endpoint.id}`)) === null) return false;
  slot.endpoint = await openEndpoint(world, slot.endpoint.path, REJECTS_SOME);
  return true;
}

/** Each returns the number of accepted calls. */
const OPERATIONS: Readonly<
  Record<string, (world: World, slot: Slot, random: Random) => Promise<number | boolean>>
> = {
  update: (world, { endpoint }, random) => update(world, endpoint, random),
  rotate: (world, { endpoint }) => rotateSecret(world, endpoint),
  delete: replaceEndpoint,
  replay: (world, { endpoint }) => replay(world, { endpointId: endpoint.id, most: 3, from: 'latest' }),
  test: (world, { endpoint }) => sendTest(world, endpoint.id),
};

/** Several operators per endpoint, until enough calls of each operation were accepted. */
export const operate: Step = async (world) => {
  const accepted = new Map(Object.keys(OPERATIONS).map((name) => [name, 0]));
  const until = Date.now() + WITHIN_MS;
  const isDone = () => [...accepted.values()].every((count) => count >= CALLS);
  const work = async (slot: Slot, random: Random) => {
    while (Date.now() < until && !isDone()) {
      const [name, operation] = random.pick(Object.entries(OPERATIONS));
      const count = Number(await operation(world, slot, random));
      accepted.set(name, (accepted.get(name) ?? 0) + count);
      await sleep(random.between(500, 2_000));
    }
  };
  const open = async (path: string): Promise<Slot> => ({
    endpoint: await openEndpoint(world, path, REJECTS_SOME),
  });
  const slots = await Promise.all(paths('/operated', 8).map(open));
  await sleep(2_000);
  const operators = Array.from({ length: OPERATORS_PER_ENDPOINT }, (_, operator) =>
    slots.map((slot, index) => work(slot, world.random.branch(index, operator))),
  );
  await Promise.all(operators.flat());
  const counts = [...accepted].map(([name, count]) => `${name} ${count}`).join(', ');
  world.log(`accepted: ${counts}`);
  if (!isDone()) throw new Error(`too few calls were accepted: ${counts}`);
};
