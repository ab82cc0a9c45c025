import { createDirectory } from '../mongo/directory.js';
import { createHistoryReader, type Slice } from '../mongo/read-history.js';
import type { Difference, DifferenceKind } from '../verify/difference.js';
import { createVerifier, type Verifier } from '../verify/verify-history.js';
import { ProblemsFound } from './problems-found.js';
import { type Progress, progress } from './progress.js';
import { logTo, type Terminal } from './terminal.js';
import { UsageError } from './usage-error.js';
import { type AdminContext, withDatabase } from './with-database.js';

export interface VerifyOptions {
  readonly workspace?: string;
  /** Milliseconds before now. */
  readonly since?: number;
  /** How long deliveries are kept, in milliseconds: as the janitor is told. */
  readonly retention: number;
  /** Work that has been due for longer is a difference, in milliseconds. */
  readonly overdue: number;
  /** Differences that are listed; all of them are counted. */
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

/** Proves the stored history, on a running system, and changes nothing. @throws ProblemsFound when anything differs */
export async function verifyHistory(
  env: NodeJS.ProcessEnv,
  options: VerifyOptions,
  terminal: Terminal,
): Promise<void> {
  const report = await withDatabase(env, logTo(terminal), (bench) => verify(bench, options, terminal));
  const { differences, endpoints, deliveries, attempts, found, byKind } = report;
  if (options.json) terminal.print(JSON.stringify({ ok: found === 0, ...report }));
  else for (const { kind, id, what } of differences) terminal.print(`${kind}  ${id}  ${what}`);
  const read = `${endpoints} endpoints, ${deliveries} deliveries and ${attempts} attempts`;
  if (found > 0) {
    const kinds = Object.entries(byKind).map(([kind, count]) => `${kind} ${count}`);
    const listed = differences.length < found ? `, ${differences.length} of them listed` : '';
    throw new ProblemsFound(`${found} differences in ${read}${listed}: ${kinds.join(', ')}`);
  }
  if (!options.json) terminal.print(`No difference in ${read}.`);
}

async function verify(bench: AdminContext, options: VerifyOptions, terminal: Terminal): Promise<Report> {
  const now = bench.clock.now().getTime();
  const since = new Date(options.since === undefined ? 0 : Math.max(0, now - options.since));
  const completeSince = new Date(Math.max(since.getTime(), now - options.retention));
  const workspaceId = await workspaceOf(bench, options.workspace);
  const reader = createHistoryReader(bench.database, { workspaceId, since });
  const book = ledger(options.limit);
  const overdueBefore = new Date(now - options.overdue);
  const checks = createVerifier({ tell: book.tell, overdueBefore, completeSince });
  const endpointIds: string[] = [];
  for await (const endpoint of reader.endpoints()) {
    endpointIds.push(endpoint.id);
    checks.endpoint(endpoint);
  }
  for await (const entry of reader.audits()) checks.audit(entry);
  const shown = progress(terminal, 'deliveries', await reader.estimate(), () => performance.now());
  const counted = await checkSlices(reader.slices(endpointIds), checks, shown);
  checks.finish(await reader.currentEndpoints(checks.outrun()));
  return { endpoints: endpointIds.length, ...counted, ...book.entries() };
}

async function checkSlices(slices: AsyncIterable<Slice>, checks: Verifier, shown: Progress) {
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
    shown.add(slice.deliveries.length);
  }
  shown.end();
  return counted;
}

/** Counts every difference and keeps the first ones. */
function ledger(limit: number) {
  const differences: Difference[] = [];
  const byKind: Partial<Record<DifferenceKind, number>> = {};
  let found = 0;
  return {
    tell(difference: Difference) {
      found += 1;
      byKind[difference.kind] = (byKind[difference.kind] ?? 0) + 1;
      if (differences.length < limit) differences.push(difference);
    },
    entries: () => ({ found, byKind, differences }),
  };
}

/** @throws UsageError when there is no such workspace */
async function workspaceOf({ database }: AdminContext, slug: string | undefined): Promise<string | null> {
  if (slug === undefined) return null;
  const workspace = await createDirectory(database.collections).workspaceBySlug(slug);
  if (workspace === null) throw new UsageError(`there is no workspace "${slug}"`);
  return workspace.id;
}
