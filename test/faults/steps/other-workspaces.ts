import { setTimeout as sleep } from 'node:timers/promises';
import { openWorkspace } from '#dev/start/run-admin';
import type { Step } from '../fault.js';
import { type ApiClient, createApiClient } from '../load/api-client.js';
import { openEndpoint } from '../load/population.js';
import { OK } from '../load/receiver.js';
import type { World } from '../world/world.js';

/** A workspace that gets none of the load's events. Its endpoints answer well at first. */
export interface OtherWorkspace {
  readonly slug: string;
  readonly paths: readonly string[];
  /** The time between two of its events, each for all of its endpoints, in milliseconds. */
  readonly eventEveryMs: number;
}

const clients = new WeakMap<World, Map<string, ApiClient>>();

/** Creates a workspace. @returns a client of it */
export async function openOtherWorkspace(world: World, slug: string): Promise<ApiClient> {
  const ports = () => world.services.running('api').map((api) => api.port());
  const client = createApiClient({ workspace: slug, token: await openWorkspace(slug, world.env), ports });
  clients.set(world, (clients.get(world) ?? new Map()).set(slug, client));
  return client;
}

/** Creates an event in a workspace, and records it if the call was accepted. */
export async function createEvent(world: World, slug: string, name: string): Promise<void> {
  const input = { name, scopes: ['workspace:read'] };
  const sentAt = Date.now();
  const token = await clients.get(world)?.get(slug)?.call<{ id: string }>('POST', '/api-tokens', input);
  if (token != null)
    world.otherEvents.push({ tokenId: token.id, sentAt, answeredAt: Date.now(), workspace: slug });
}

/** Adds workspaces. @param originOf the origin of the endpoint with a path */
export function openOtherWorkspaces(
  workspaces: readonly OtherWorkspace[],
  originOf: (world: World, path: string) => string,
): Step {
  return async (world) => {
    const { receiver, endpoints } = world;
    for (const { slug, paths } of workspaces) {
      const client = await openOtherWorkspace(world, slug);
      for (const path of paths) {
        const url = `${originOf(world, path)}${path}`;
        const endpoint = await openEndpoint({ client, receiver }, path, () => OK, url);
        endpoints.push({ ...endpoint, workspace: slug });
      }
    }
  };
}

/** Runs steps while events are created in other workspaces. */
export function underOtherLoad(workspaces: readonly OtherWorkspace[], steps: readonly Step[]): Step {
  return async (world) => {
    const stopping = new AbortController();
    const loads = workspaces.map((one) => createEvents(world, one, stopping.signal));
    try {
      for (const step of steps) await step(world);
    } finally {
      stopping.abort();
      await Promise.all(loads);
    }
  };
}

async function createEvents(world: World, { slug, eventEveryMs }: OtherWorkspace, signal: AbortSignal) {
  let events = 0;
  for (; !signal.aborted; events += 1) {
    await createEvent(world, slug, `other ${events}`);
    await sleep(eventEveryMs, undefined, { signal }).catch(() => {});
  }
  world.log(`${events} events were created in the workspace ${slug}`);
}
