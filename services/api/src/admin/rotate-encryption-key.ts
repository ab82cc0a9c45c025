import type { Sealing } from '@postrider/shared/ports/sealing';
import { ENCRYPTION } from '@postrider/shared/runtime/common-config';
import { readConfig } from '@postrider/shared/runtime/config';
import { createSecretBox } from '@postrider/shared/runtime/secret-box';
import type { SealedBox, SealedRow, SealedRows } from '../mongo/sealed-rows.js';
import { createSealedRows } from '../mongo/sealed-rows.js';
import { ProblemsFound } from './problems-found.js';
import { progress } from './progress.js';
import { logTo, type Terminal } from './terminal.js';
import { UsageError } from './usage-error.js';
import { withDatabase } from './with-database.js';

interface RotateOptions {
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** Secrets by the key that seals them, place by place. */
type Counts = readonly { readonly title: string; readonly keys: ReadonlyMap<string, number> }[];

const ROWS_AT_ONCE = 100;

/**
 * Seals every stored secret with the first key of ENCRYPTION_KEYS, while everything runs. What others change meanwhile
 * is left to them and looked at again. May be stopped and started at any time.
 *
 * @throws ProblemsFound while any secret still needs another key
 */
export async function rotateEncryptionKey(
  env: NodeJS.ProcessEnv,
  { dryRun, json }: RotateOptions,
  terminal: Terminal,
): Promise<void> {
  const keys = readConfig(env, ENCRYPTION).ENCRYPTION_KEYS;
  const [active] = keys.map(({ id }) => id);
  if (active === undefined) throw new UsageError('ENCRYPTION_KEYS names no key');
  const counts = await withDatabase(env, logTo(terminal), async ({ database }) => {
    const places = createSealedRows(database);
    if (!dryRun)
      for (const place of places) await resealAll(place, { active, box: createSecretBox(keys), terminal });
    return Promise.all(places.map(async ({ title, countByKey }) => ({ title, keys: await countByKey() })));
  });
  if (json) terminal.print(JSON.stringify(asJson(active, counts)));
  else for (const line of linesOf(counts)) terminal.print(line);
  sumUp({
    active,
    counts,
    known: keys.map(({ id }) => id),
    say: json ? terminal.printError : terminal.print,
  });
}

interface Resealing {
  readonly active: string;
  readonly box: Sealing;
  readonly terminal: Terminal;
}

/** Pass after pass, until one changes nothing: what somebody changed in one pass is met in the next. */
async function resealAll(place: SealedRows, parts: Resealing): Promise<void> {
  while ((await pass(place, parts)) > 0);
}

/** @returns how many rows it changed */
async function pass(place: SealedRows, { active, box, terminal }: Resealing): Promise<number> {
  const keys = await place.countByKey();
  const left = [...keys].reduce((sum, [key, count]) => (key === active ? sum : sum + count), 0);
  const shown = progress(terminal, place.title, left, () => performance.now());
  let changed = 0;
  for (let after = ''; ; ) {
    const rows = await place.encryptedWithOtherKey(active, after, ROWS_AT_ONCE);
    const replaced = await Promise.all(
      rows.map((row) => {
        const boxes = reseal(row, box, terminal);
        return boxes.length > 0 && place.replace(row, boxes);
      }),
    );
    changed += replaced.filter(Boolean).length;
    shown.add(rows.flatMap(({ boxes }) => boxes).length);
    const last = rows.at(-1);
    if (last === undefined) break;
    after = last.id;
  }
  shown.end();
  return changed;
}

/** What can be opened, sealed anew. What cannot is told and stays as it is. */
function reseal({ id, boxes }: SealedRow, box: Sealing, { printError }: Terminal): SealedBox[] {
  return boxes.flatMap(({ path, sealed }) => {
    try {
      return [{ path, sealed: box.seal(box.open(sealed, id), id) }];
    } catch (error) {
      printError(`${path} of ${id} stays as it is: ${error instanceof Error ? error.message : error}`);
      return [];
    }
  });
}

function linesOf(counts: Counts): string[] {
  return counts.flatMap(({ title, keys }) =>
    [...keys].map(([key, count]) => `${title}: ${count} sealed with key "${key}"`),
  );
}

function asJson(active: string, counts: Counts) {
  const sealed = Object.fromEntries(counts.map(({ title, keys }) => [title, Object.fromEntries(keys)]));
  return { ok: othersOf(active, counts).length === 0, active, sealed };
}

/** The keys besides the active one that something is still sealed with. */
function othersOf(active: string, counts: Counts): string[] {
  return [...new Set(counts.flatMap(({ keys }) => [...keys.keys()]))].filter((key) => key !== active);
}

interface Outcome {
  readonly active: string;
  readonly counts: Counts;
  readonly known: readonly string[];
  readonly say: (line: string) => void;
}

function sumUp({ active, counts, known, say }: Outcome): void {
  const others = othersOf(active, counts);
  const unknown = others.filter((key) => !known.includes(key));
  if (unknown.length > 0) {
    const named = unknown.map((key) => `"${key}"`).join(', ');
    throw new ProblemsFound(
      `ENCRYPTION_KEYS lacks ${named}, which secrets are sealed with: add it and run this again`,
    );
  }
  if (others.length > 0) {
    const named = others.map((key) => `"${key}"`).join(', ');
    throw new ProblemsFound(
      `secrets are still sealed with ${named}: keep it in ENCRYPTION_KEYS, and run this again`,
    );
  }
  const spare = known.filter((key) => key !== active).map((key) => `"${key}"`);
  const done = `Everything is sealed with "${active}"`;
  say(
    spare.length === 0
      ? `${done}.`
      : `${done}: ${spare.join(', ')} may be removed from ENCRYPTION_KEYS everywhere.`,
  );
}
