import { grantAccess } from '../api/grant-access.js';
import type { Asked } from '../api/load.js';
import { type CallsMade, steadyCalls } from '../api/steady-calls.js';
import type { Environment } from '../environment/environment.js';
import { replace } from '../environment/replace.js';
import { machineNow } from '../measure/clock.js';
import type { Service } from '../processes/service.js';
import type { PlacedEndpoint } from '../world/population.js';
import { numbered, type Restart } from './restart-parts.js';

export interface Steps {
  /** How long it goes well before the first restart, and how long its consequences are looked for after each, in milliseconds. */
  readonly aftermathMs: number;
  readonly callsPerSecond: number;
  /** Whom the calls have an effect on: it is alone in its workspace. */
  readonly told: PlacedEndpoint;
  readonly progress: (line: string) => void;
}

export interface Stepped {
  readonly restarts: readonly Restart[];
  readonly calls: CallsMade;
}

/** Replaces every process and runs the janitor while the api is called. Each accepted call is owed its delivery. */
export async function restartWhileCalled(environment: Environment, steps: Steps): Promise<Stepped> {
  let leaving: Service | null = null;
  const endCalls = await startCalls(environment, steps, (service) => service !== leaving);
  const [restarted] = await Promise.allSettled([
    restartAll(environment, steps, (old) => {
      leaving = old;
    }),
  ]);
  const calls = await endCalls();
  if (restarted.status === 'rejected') throw restarted.reason;
  const { group, endpoint } = steps.told;
  environment.owe(calls.accepted.map((call) => ({ ...call, group, endpointId: endpoint.id })));
  return { restarts: restarted.value, calls };
}

async function restartAll(
  environment: Environment,
  { aftermathMs, progress }: Steps,
  onLeaving: (old: Service) => void,
): Promise<Restart[]> {
  const services = [...environment.services];
  const labels = numbered(services.map(({ name }) => name));
  const restarts: Restart[] = [];
  const watched = async (label: string, make: () => Promise<number | null>) => {
    progress(label);
    const from = machineNow();
    const stopMs = await make();
    await environment.pause(aftermathMs);
    restarts.push({ label, span: { from, to: machineNow() }, stopMs });
  };
  await environment.pause(aftermathMs);
  for (const [index, old] of services.entries()) {
    await watched(labels[index] ?? old.name, () => replace(environment, { old, onLeaving }));
  }
  await watched('janitor', async () => {
    await environment.run('janitor');
    return null;
  });
  return restarts;
}

async function startCalls(
  { world, population, services }: Environment,
  { told, callsPerSecond }: Steps,
  isRouted: (api: Service) => boolean,
): Promise<() => Promise<CallsMade>> {
  const workspace = population.workspaces[told.workspace];
  if (workspace === undefined) throw new Error('nobody is told of what is done through the api');
  return steadyCalls({
    origins: () => services.filter((one) => one.name === 'api' && isRouted(one)).map(({ origin }) => origin),
    secret: await grantAccess(world, workspace),
    perSecond: callsPerSecond,
    ask: (number) => callTo(`/workspaces/${workspace.slug}`, told.endpoint.id, number),
  });
}

/** In turn: a token is made, which is an event on the topic; a test event is sent, which is a delivery at once. */
function callTo(root: string, endpointId: string, number: number): Asked {
  if (number % 2 === 0) {
    const body = JSON.stringify({ name: `token ${number}`, scopes: ['read'] });
    return { method: 'POST', path: `${root}/api-tokens`, body, status: 201 };
  }
  return { method: 'POST', path: `${root}/webhooks/${endpointId}/test-event`, status: 202 };
}
