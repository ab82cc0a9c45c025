import { SYSTEM } from '@postrider/shared/domain/audit-event';
import type { Workspace } from '@postrider/shared/domain/workspace';
import { fromDocument } from '@postrider/shared/mongo/documents';
import { newTraceId } from '@postrider/shared/runtime/trace';
import { createDeliveryReads } from '../mongo/delivery-reads.js';
import { enableAfterFailures } from '../operations/enable-after-failures.js';
import {
  countDisablings,
  type DisabledEndpoint,
  disabledIds,
  readDisabled,
  type Selection,
  selectDisablings,
} from './disabled-endpoints.js';
import { countOf, createEnableReport, type Handled, type ReportOptions } from './enable-report.js';
import { ProblemsFound } from './errors.js';
import { handleEach } from './handle-each.js';
import { showProgress } from './show-progress.js';
import { logTo, type Terminal } from './terminal.js';
import { type AdminContext, withDatabase } from './with-database.js';

type EnableOptions = Selection & ReportOptions;

/** Counting more for one endpoint would take long; an endpoint holds fewer by default. */
const MAX_COUNTED = 100_000;

/**
 * Enables the endpoints that failures have disabled since a given time, for example in an outage of the operator's network.
 *
 * @throws ProblemsFound if some of them could not be enabled
 */
export async function enableEndpoints(
  env: NodeJS.ProcessEnv,
  options: EnableOptions,
  terminal: Terminal,
): Promise<void> {
  const failed = await withDatabase(env, logTo(terminal), (context) => handleAll(context, options, terminal));
  if (failed === 0) return;
  throw new ProblemsFound(
    `${countOf(failed)} could not be ${options.dryRun ? 'read' : 'enabled'}: correct what is stored and run the command again`,
  );
}

/** @returns how many endpoints failed */
async function handleAll(context: AdminContext, options: EnableOptions, terminal: Terminal): Promise<number> {
  if (options.replayHeld) context.requireFeature('heldDeliveries');
  const handle = options.dryRun ? preview(context, options) : enable(context, options);
  const selected = await selectDisablings(context, options);
  const shown = { unit: 'endpoints', total: await countDisablings(context, selected) };
  const { printError } = terminal;
  // A bar would be interrupted by the lines of the endpoints.
  return showProgress(options.json ? terminal : { printError }, shown, (add) =>
    handleEach({
      endpointIds: disabledIds(context, selected),
      async handle(endpointId) {
        const one = await readDisabled(context, selected, endpointId);
        return one && handle(one);
      },
      report: createEnableReport(terminal, options),
      add,
    }),
  );
}

type Handle = (endpoint: DisabledEndpoint) => Promise<Handled | null>;

function preview({ database }: AdminContext, { replayHeld }: EnableOptions): Handle {
  const { countHeld } = createDeliveryReads(database);
  return async ({ since, ...one }) => {
    if (!replayHeld) return one;
    const counts = await countHeld([{ endpointId: one.endpointId, since }], MAX_COUNTED);
    const heldDeliveries = counts.get(one.endpointId) ?? 0;
    return { ...one, heldDeliveries, ...(heldDeliveries >= MAX_COUNTED && { isLowerBound: true }) };
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

async function workspaceOf({ database }: AdminContext, workspaceId: string): Promise<Workspace> {
  const workspace = await database.collections.workspaces.findOne({ _id: workspaceId });
  if (workspace === null) throw new Error(`the workspace ${workspaceId} does not exist any more`);
  return fromDocument<Workspace>(workspace);
}
