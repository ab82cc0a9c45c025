import { ENCRYPTION } from '@postrider/shared/platform/platform-config';
import type { Sealing } from '@postrider/shared/ports/sealing';
import { readConfig } from '@postrider/shared/runtime/config';
import { createSecretBox } from '@postrider/shared/runtime/secret-box';
import { beginRotation, type Rotation } from '../mongo/begin-rotation.js';
import type { SealedBox, SealedRow, SealedRows } from '../mongo/sealed-rows.js';
import { createSealedRows } from '../mongo/sealed-rows.js';
import { ProblemsFound, UsageError } from './errors.js';
import { showProgress } from './show-progress.js';
import { logTo, type Terminal } from './terminal.js';
import { withDatabase } from './with-database.js';

interface RotateOptions {
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** How many secrets each key encrypts, per collection. */
type Counts = readonly { readonly title: string; readonly keys: ReadonlyMap<string, number> }[];

const BATCH_SIZE = 100;
/** Maximum number of passes over one place: while a process encrypts with another key, each finds new rows. */
const MAX_PASSES = 5;

/**
 * Re-encrypts every stored secret with the first key of ENCRYPTION_KEYS, while the services run. Rows that change
 * concurrently are not overwritten but read again. Can be interrupted and repeated at any time.
 *
 * @throws ProblemsFound while any secret is encrypted with another key
 */
export async function rotateEncryptionKey(
  env: NodeJS.ProcessEnv,
  { dryRun, json }: RotateOptions,
  terminal: Terminal,
): Promise<void> {
  const keys = readConfig(env, ENCRYPTION).ENCRYPTION_KEYS;
  const [active] = keys.map(({ id }) => id);
  if (active === undefined) throw new UsageError('ENCRYPTION_KEYS contains no key');
  const counts = await withDatabase(env, logTo(terminal), async ({ database, clock }) => {
    const places = createSealedRows(database);
    const count = () =>
      Promise.all(places.map(async ({ title, countByKey }) => ({ title, keys: await countByKey() })));
    if (dryRun) return count();
    const rotation = await beginRotation(database, { keyId: active, at: clock.now() });
    const parts = { active, box: createSecretBox(keys), record: rotation.record, terminal };
    for (const place of places) await reencryptAll(place, parts);
    const counts = await count();
    if (othersOf(active, counts).length === 0) await rotation.end();
    return counts;
  });
  if (json) terminal.print(JSON.stringify(asJson(active, counts)));
  else for (const line of linesOf(counts)) terminal.print(line);
  summarize({
    active,
    counts,
    known: keys.map(({ id }) => id),
    print: json ? terminal.printError : terminal.print,
  });
}

export interface ReencryptionParts {
  readonly active: string;
  readonly box: Sealing;
  readonly record: Rotation['record'];
  readonly terminal: Terminal;
}

/** Repeats passes until one changes nothing, because rows may have changed concurrently. What is left then is counted afterwards. */
export async function reencryptAll(place: SealedRows, parts: ReencryptionParts): Promise<void> {
  for (let pass = 1; (await runPass(place, parts)) > 0 && pass < MAX_PASSES; pass += 1);
}

/** @returns how many rows it changed */
async function runPass(place: SealedRows, parts: ReencryptionParts): Promise<number> {
  const { active, box, record, terminal } = parts;
  const keys = await place.countByKey();
  const remaining = [...keys].reduce((sum, [key, count]) => (key === active ? sum : sum + count), 0);
  return showProgress(terminal, { unit: place.title, total: remaining }, async (add) => {
    let changed = 0;
    for (let after = ''; ; ) {
      const rows = await place.encryptedWithOtherKey(active, after, BATCH_SIZE);
      const sealed = rows
        .map((row) => ({ row, boxes: reencrypt(row, box, terminal) }))
        .filter(({ boxes }) => boxes.length > 0);
      // Before the rows, because the next run does not find rows that were replaced before an interruption.
      await record(workspacesOf(sealed.map(({ row }) => row)));
      const replaced = await Promise.all(sealed.map(({ row, boxes }) => place.replace(row, boxes)));
      changed += replaced.filter(Boolean).length;
      add(rows.flatMap(({ boxes }) => boxes).length);
      const last = rows.at(-1);
      if (last === undefined || rows.length < BATCH_SIZE) return changed;
      after = last.id;
    }
  });
}

function workspacesOf(rows: readonly SealedRow[]): ReadonlySet<string> {
  return new Set(rows.flatMap(({ workspaceId }) => (workspaceId === null ? [] : [workspaceId])));
}

/** Re-encrypts what can be decrypted. Reports the rest and leaves it unchanged. */
function reencrypt({ id, boxes }: SealedRow, box: Sealing, { printError }: Terminal): SealedBox[] {
  return boxes.flatMap(({ path, sealed }) => {
    try {
      return [{ path, sealed: box.seal(box.open(sealed, id), id) }];
    } catch (error) {
      printError(`${path} of ${id} is left unchanged: ${error instanceof Error ? error.message : error}`);
      return [];
    }
  });
}

function linesOf(counts: Counts): string[] {
  return counts.flatMap(({ title, keys }) =>
    [...keys].map(([key, count]) => `${title}: ${count} encrypted with key "${key}"`),
  );
}

function asJson(active: string, counts: Counts) {
  const sealed = Object.fromEntries(counts.map(({ title, keys }) => [title, Object.fromEntries(keys)]));
  return { ok: othersOf(active, counts).length === 0, active, sealed };
}

/** The keys other than the active one that are still in use. */
function othersOf(active: string, counts: Counts): string[] {
  return [...new Set(counts.flatMap(({ keys }) => [...keys.keys()]))].filter((key) => key !== active);
}

interface Summary {
  readonly active: string;
  readonly counts: Counts;
  readonly known: readonly string[];
  readonly print: (line: string) => void;
}

function summarize({ active, counts, known, print }: Summary): void {
  const others = othersOf(active, counts);
  const unknown = others.filter((key) => !known.includes(key));
  if (unknown.length > 0) {
    const named = unknown.map((key) => `"${key}"`).join(', ');
    throw new ProblemsFound(
      `ENCRYPTION_KEYS lacks ${named}, which stored secrets are encrypted with: add it and run this command again`,
    );
  }
  if (others.length > 0) {
    const named = others.map((key) => `"${key}"`).join(', ');
    throw new ProblemsFound(
      `secrets are still encrypted with ${named}: keep it in ENCRYPTION_KEYS and run this command again`,
    );
  }
  const unused = known.filter((key) => key !== active).map((key) => `"${key}"`);
  const done = `All secrets are encrypted with "${active}"`;
  print(
    unused.length === 0
      ? `${done}.`
      : `${done}: ${unused.join(', ')} may be removed from ENCRYPTION_KEYS everywhere.`,
  );
}
