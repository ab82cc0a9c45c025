import { SYSTEM } from '@postrider/shared/domain/audit-event';
import type { Workspace } from '@postrider/shared/domain/workspace';
import { fromDocument } from '@postrider/shared/mongo/documents';
import { newTraceId } from '@postrider/shared/runtime/trace';
import { createDeliveryReads } from '../mongo/delivery-reads.js';
import { enableAfterFailures } from '../operations/enable-after-failures.js';
import {
  countDisablings,
  type DisabledEndpoint,
  disabledEndpoints,
  type Selection,
  selectDisablings,
} from './disabled-endpoints.js';
import { showProgress } from './show-progress.js';
import { logTo, type Terminal } from './terminal.js';
import { type AdminContext, withDatabase } from './with-database.js';

interface EnableOptions extends Selection {
  readonly replayHeld?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** An endpoint that is or would be enabled. */
interface Handled extends Pick<DisabledEndpoint, 'endpointId' | 'workspaceId' | 'origin'> {
  /** The job that replays the held deliveries. */
  readonly replayJobId?: string;
  /** In a dry run: the deliveries that would be replayed, as counted up to `MAX_COUNTED`. */
  readonly heldDeliveries?: number;
}

/** Counting more for one endpoint would take long; an endpoint holds fewer by default. */
const MAX_COUNTED = 100_000;

/** Enables the endpoints that failures have disabled since a given time, for example in an outage of the operator's network. */
export async function enableEndpoints(
  env: NodeJS.ProcessEnv,
  options: EnableOptions,
  terminal: Terminal,
): Promise<void> {
  const handled = await withDatabase(env, logTo(terminal), (context) =>
    handleAll(context, options, terminal),
  );
  if (options.json)
    return terminal.print(JSON.stringify({ dryRun: options.dryRun === true, endpoints: handled }));
  for (const one of handled) terminal.print(lineOf(one));
  const verb = options.dryRun ? 'would be enabled' : 'were enabled';
  terminal.printError(`${handled.length} endpoints ${verb}.${replaysOf(handled, options)}`);
}

async function handleAll(
  context: AdminContext,
  options: EnableOptions,
  terminal: Terminal,
): Promise<readonly Handled[]> {
  if (options.replayHeld) context.requireFeature('heldDeliveries');
  const handle = options.dryRun ? preview(context, options) : enable(context, options);
  const selected = await selectDisablings(context, options);
  const shown = { unit: 'endpoints', total: await countDisablings(context, selected) };
  return showProgress(terminal, shown, async (add) => {
    const handled: Handled[] = [];
    for await (const one of disabledEndpoints(context, selected)) {
      const result = await handle(one);
      if (result !== null) handled.push(result);
      add(1);
    }
    return handled;
  });
}

type Handle = (endpoint: DisabledEndpoint) => Promise<Handled | null>;

function preview({ database }: AdminContext, { replayHeld }: EnableOptions): Handle {
  const { countHeld } = createDeliveryReads(database);
  return async ({ since, ...one }) => {
    if (!replayHeld) return one;
    const counts = await countHeld([{ endpointId: one.endpointId, since }], MAX_COUNTED);
    return { ...one, heldDeliveries: counts.get(one.endpointId) ?? 0 };
  };
}

function enable(context: AdminContext, { replayHeld }: EnableOptions): Handle {
  const enableOne = enableAfterFailures(context);
  return async ({ since: _, ...one }) => {
    const workspace = await workspaceOf(context, one.workspaceId);
    const caller = { workspace, actor: SYSTEM, source: null, traceId: newTraceId() };
    const enabled = await enableOne(caller, one.endpointId, replayHeld ? 'replay' : 'keep');
    if (enabled === null) return null;
    return enabled.replayJobId === null ? one : { ...one, replayJobId: enabled.replayJobId };
  };
}

function lineOf({ endpointId, workspaceId, origin, replayJobId, heldDeliveries }: Handled): string {
  const held = heldDeliveries === undefined ? [] : [`${heldDeliveries} held`];
  return [endpointId, workspaceId, origin, ...held, ...(replayJobId === undefined ? [] : [replayJobId])].join(
    ' ',
  );
}

function replaysOf(handled: readonly Handled[], { replayHeld, dryRun }: EnableOptions): string {
  if (!replayHeld || handled.length === 0) return '';
  if (!dryRun) return ' A replay job of each sends its held deliveries.';
  const held = handled.reduce((sum, { heldDeliveries = 0 }) => sum + heldDeliveries, 0);
  return ` At most ${held} held deliveries would be replayed.`;
}

async function workspaceOf({ database }: AdminContext, workspaceId: string): Promise<Workspace> {
  const workspace = await database.collections.workspaces.findOne({ _id: workspaceId });
  if (workspace === null) throw new Error(`the workspace ${workspaceId} does not exist any more`);
  return fromDocument<Workspace>(workspace);
}
