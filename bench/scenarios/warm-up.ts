import type { Environment } from '../environment/environment.js';
import type { Workspaces } from '../generator/plan.js';

/** Enough for the compiler to have seen all of the path. */
export const WARM_UP_EVENTS = 3_000;
const WINDOW = 500;

/** Lets a fresh dispatcher get warm, and waits until it is done. */
export async function warmUp(
  environment: Environment,
  workspaces: Workspaces,
  events = WARM_UP_EVENTS,
): Promise<void> {
  const window = { deliveries: WINDOW, perEvent: 1 };
  await environment.publish({ kind: 'flat-out', workspaces, events, seconds: null, window });
  await environment.drained();
}
