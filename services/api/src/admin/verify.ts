import { createDirectory } from '../mongo/directory.js';
import { createHistoryReader, type Slice } from '../mongo/read-history.js';
import type { Difference, DifferenceKind } from '../verify/difference.js';
import { createVerifier, type Verifier } from '../verify/verify-history.js';
import { ProblemsFound, UsageError } from './errors.js';
import { showProgress } from './show-progress.js';
import { logTo, type Terminal } from './terminal.js';
import { type AdminContext, withDatabase } from './with-database.js';

export interface VerifyOptions {
  readonly workspace?: string;
  /** Milliseconds before now. */
  readonly since?: number;
  /** Milliseconds, the same as the janitor's retention. */
  readonly retention: number;
  /** Milliseconds; deliveries that have been due for longer are reported. */
  readonly overdue: number;
  /** The maximum number of differences to list; all are counted. */
  readonly limit: number;
  readonly json?: boolean;
}

interface Report {
  readonly endpoints: number;
  readonly deliveries: number;
  readonly attempts: number;
  readonly found: number;
  readonly byKind: Readonly<Partial<Record<DifferenceKind, number>>>;
  readonly differences: readonly Difference[];
}

/** Checks the stored history while the system runs. Read-only. @throws ProblemsFound when there are differences */
export async function verifyHistory(
  env: NodeJS.ProcessEnv,
  options: VerifyOptions,
  terminal: Terminal,
): Promise<void> {
  const report = await withDatabase(env, logTo(terminal), (context) => verify(context, options, terminal));
  const { differences, endpoints, deliveries, attempts, found, byKind } = report;
  if (options.json) terminal.print(JSON.stringify({ ok: found === 0, ...report }));
  else for (const { kind, id, what } of differences) terminal.print(`${kind}  ${id}  ${what}`);
  const scope = `${endpoints} endpoints, ${deliveries} deliveries and ${attempts} attempts`;
  if (found > 0) {
    const kinds = Object.entries(byKind).map(([kind, count]) => `${kind} ${count}`);
    const listed = differences.length < found ? `, ${differences.length} of them listed` : '';
    throw new ProblemsFound(`${found} differences in ${scope}${listed}: ${kinds.join(', ')}`);
  }
  if (!options.json) terminal.print(`No differences in ${scope}.`);
}

async function verify(context: AdminContext, options: VerifyOptions, terminal: Terminal): Promise<Report> {
  const now = context.clock.now().getTime();
  const since = new Date(options.since === undefined ? 0 : Math.max(0, now - options.since));
  const completeSince = new Date(Math.max(since.getTime(), now - options.retention));
  const workspaceId = await workspaceOf(context, options.workspace);
  const reader = createHistoryReader(context.database, { workspaceId, since });
  const report = createReport(options.limit);
  const overdueBefore = new Date(now - options.overdue);
  const checks = createVerifier({ report: report.add, overdueBefore, completeSince });
  const endpointIds: string[] = [];
  for await (const endpoint of reader.endpoints()) {
    endpointIds.push(endpoint.id);
    checks.endpoint(endpoint);
  }
  for await (const entry of reader.audits()) checks.audit(entry);
  const shown = { unit: 'deliveries', total: await reader.estimate() };
  const counted = await showProgress(terminal, shown, (add) =>
    checkSlices(reader.slices(endpointIds), checks, add),
  );
  checks.finish(await reader.currentEndpoints(checks.endpointsToReread()));
  return { endpoints: endpointIds.length, ...counted, ...report.entries() };
}

async function checkSlices(slices: AsyncIterable<Slice>, checks: Verifier, add: (count: number) => void) {
  const counted = { deliveries: 0, attempts: 0 };
  for await (const slice of slices) {
    const records = Map.groupBy(slice.attempts, ({ deliveryId }) => deliveryId);
    for (const delivery of slice.deliveries) {
      checks.delivery(delivery, records.get(delivery.id) ?? [], slice.endpoints);
      records.delete(delivery.id);
    }
    for (const orphan of [...records.values()].flat()) checks.orphan(orphan);
    counted.deliveries += slice.deliveries.length;
    counted.attempts += slice.attempts.length;
    add(slice.deliveries.length);
  }
  return counted;
}

/** Counts all differences and keeps the first ones. */
function createReport(limit: number) {
  const differences: Difference[] = [];
  const byKind: Partial<Record<DifferenceKind, number>> = {};
  let found = 0;
  return {
    add(difference: Difference) {
      found += 1;
      byKind[difference.kind] = (byKind[difference.kind] ?? 0) + 1;
      if (differences.length < limit) differences.push(difference);
    },
    entries: () => ({ found, byKind, differences }),
  };
}

/** @returns null without a slug. @throws UsageError for an unknown workspace */
async function workspaceOf({ database }: AdminContext, slug: string | undefined): Promise<string | null> {
  if (slug === undefined) return null;
  const workspace = await createDirectory(database.collections).workspaceBySlug(slug);
  if (workspace === null) throw new UsageError(`there is no workspace "${slug}"`);
  return workspace.id;
}
