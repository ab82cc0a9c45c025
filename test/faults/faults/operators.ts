import { execFile } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Fault } from '../fault.js';
import { type LoadedEndpoint, openEndpoint, rotate } from '../load/population.js';
import { OK } from '../load/receiver.js';
import { replaySome, sendTest } from '../load/sends.js';
import type { World } from '../world/world.js';

const JANITOR = fileURLToPath(new URL('../../../../services/janitor/dist/src/main.js', import.meta.url));
const run = promisify(execFile);
const OPERATIONS = 100;
const RETENTION_MS = 15_000;
const CLEANUPS = 12;

/** Every fifth delivery is refused for good: there is always something to replay. */
const capricious = (id: string) =>
  id.charCodeAt(id.length - 1) % 5 === 0 ? ({ kind: 'status', status: 404 } as const) : OK;

/** Does one thing to one endpoint that an operator may do. @returns the endpoint to use from now on in its place */
async function operate(world: World, endpoint: LoadedEndpoint): Promise<LoadedEndpoint> {
  const { client, random, receiver } = world;
  const patch = (change: object) => client.call('PATCH', `/webhooks/${endpoint.id}`, change);
  switch (random.between(1, 7)) {
    case 1:
      await patch({ description: `changed ${random.next()}` });
      break;
    case 2:
      await patch({
        eventTypes: ['api_token.created', ...(random.next() < 0.5 ? ['api_token.revoked'] : [])],
      });
      break;
    case 3:
      await patch({ enabled: false });
      await wait(random.between(0, 400));
      await patch({ enabled: true });
      break;
    case 4:
      await rotate(world, endpoint);
      break;
    case 5:
      await sendTest(world, endpoint.id);
      break;
    case 6:
      await replaySome(world, endpoint.id, 5);
      break;
    case 7: {
      await client.call('DELETE', `/webhooks/${endpoint.id}`);
      return openEndpoint({ client, receiver }, endpoint.path, capricious);
    }
  }
  return endpoint;
}

export const OPERATORS: readonly Fault[] = [
  {
    number: 24,
    name: `${OPERATIONS} changes, rotations, deletions, tests and replays during deliveries`,
    quick: false,
    async run(world) {
      const paths = ['/storm-1', '/storm-2', '/storm-3', '/storm-4'];
      let endpoints = await Promise.all(paths.map((path) => openEndpoint(world, path, capricious)));
      await wait(2_000);
      for (let round = 0; round < OPERATIONS / endpoints.length; round += 1) {
        endpoints = await Promise.all(endpoints.map((endpoint) => operate(world, endpoint)));
        await wait(world.random.between(200, 1_500));
      }
    },
  },
  {
    number: 25,
    name: 'the janitor cleans up behind live deliveries and replays',
    quick: false,
    retentionMs: RETENTION_MS,
    async run(world) {
      const { id } = await openEndpoint(world, '/replayed', capricious);
      for (let cleanups = 0; cleanups < CLEANUPS; cleanups += 1) {
        const env = { ...process.env, ...world.env, RETENTION: `${RETENTION_MS}ms` };
        await Promise.all([
          run(process.execPath, [JANITOR], { env }),
          replaySome(world, id, 10),
          wait(3_000),
        ]);
      }
    },
  },
];
