import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { text as textOf } from 'node:stream/consumers';
import { type Catalogue, createCatalogue, customEventType } from '@postrider/shared/catalogue/catalogue';
import type { Mistake } from '@postrider/shared/catalogue/mistake';
import { registerTypes } from '@postrider/shared/kafka/custom-codec';
import { explainRegistry } from '@postrider/shared/kafka/explain-registry-error';
import { createRegistryClient } from '@postrider/shared/kafka/registry-client';
import { createCatalogueStore } from '@postrider/shared/mongo/catalogue-store';
import { withMigrationLease } from '@postrider/shared/mongo/migration-lease';
import { registryAccess } from '@postrider/shared/platform/access';
import { KAFKA } from '@postrider/shared/platform/access-config';
import { readConfig } from '@postrider/shared/runtime/config';
import { START } from '@postrider/shared/runtime/process-config';
import { retryUntil } from '@postrider/shared/runtime/retry-until';
import { formatCatalogue } from '../catalogue/format-catalogue.js';
import { parseCatalogue } from '../catalogue/parse-catalogue.js';
import { type Extent, planChanges, type TypeChange } from '../catalogue/plan-changes.js';
import { ProblemsFound, UsageError } from './errors.js';
import { logTo, type Terminal } from './terminal.js';
import { type AdminContext, withDatabase } from './with-database.js';

const STANDARD_INPUT = '-';

/** A catalogue file, and whether it is the whole catalogue. */
export interface CatalogueInput {
  /** A path, or `-` for standard input. */
  readonly file: string;
  readonly extent: Extent;
}

/** Checks a catalogue file and stores it, with its schemas in the registry. Stores nothing if there is any mistake. */
export async function applyCatalogue(
  env: NodeJS.ProcessEnv,
  { file, extent }: CatalogueInput,
  terminal: Terminal,
): Promise<void> {
  const text = await readText(file);
  await withDatabase(env, logTo(terminal), (context) => applyText({ env, context, terminal }, text, extent));
}

/**
 * Applies the file of a deployment, unless it was applied before: then a pod of an earlier revision has restarted, and
 * the stored catalogue is newer.
 */
export async function applyDeployedCatalogue(
  env: NodeJS.ProcessEnv,
  file: string,
  terminal: Terminal,
): Promise<void> {
  const text = await readText(file);
  const log = logTo(terminal);
  const wait = retryUntil({ forMs: readConfig(env, START).START_TIMEOUT, log });
  await withDatabase(env, log, async (context) => {
    const { database } = context;
    // Pods that start together take turns, so that all but the first find that the file was applied.
    await withMigrationLease(database, wait, async () => {
      const isKnown = await createCatalogueStore(database).wasApplied(digestOf(text));
      if (isKnown) terminal.print(`The catalogue ${file} was applied before.`);
      else await applyText({ env, context, terminal }, text, 'whole');
    });
  });
}

interface ApplyParts {
  readonly env: NodeJS.ProcessEnv;
  readonly context: AdminContext;
  readonly terminal: Terminal;
}

async function applyText(
  { env, context, terminal }: ApplyParts,
  text: string,
  extent: Extent,
): Promise<void> {
  const { stored, changes } = await planFile(context, { text, extent }, terminal);
  await register(env, changes);
  const effective = changes.filter(({ changed }) => changed.length > 0);
  await createCatalogueStore(context.database).save({
    types: effective.map(({ type }) => type),
    from: stored.version,
    file: digestOf(text),
    at: context.clock.now(),
  });
  printChanges(effective, terminal);
  terminal.print(
    effective.length === 0
      ? 'The catalogue is up to date.'
      : 'The catalogue is stored. Running processes know it within 10 seconds.',
  );
}

/** Checks a catalogue file and prints what applying it would change. */
export async function diffCatalogue(
  env: NodeJS.ProcessEnv,
  { file, extent }: CatalogueInput,
  terminal: Terminal,
): Promise<void> {
  const text = await readText(file);
  await withDatabase(env, logTo(terminal), async (context) => {
    const { changes } = await planFile(context, { text, extent }, terminal);
    const effective = changes.filter(({ changed }) => changed.length > 0);
    printChanges(effective, terminal);
    if (effective.length === 0) terminal.print('Nothing would change.');
  });
}

/** Prints the stored catalogue as a file that `apply` takes. */
export async function exportCatalogue(
  env: NodeJS.ProcessEnv,
  { json }: { readonly json?: boolean },
  terminal: Terminal,
): Promise<void> {
  await withDatabase(env, logTo(terminal), async ({ database }) => {
    const { types } = await createCatalogueStore(database).read();
    const catalogue = createCatalogue(0, types);
    const definitions = [...catalogue.types.values()].map(({ definition }) => definition);
    terminal.print(formatCatalogue(definitions, json === true ? 'json' : 'yaml'));
  });
}

async function planFile(
  { database }: AdminContext,
  { text, extent }: { readonly text: string; readonly extent: Extent },
  terminal: Terminal,
): Promise<{ readonly stored: Catalogue; readonly changes: readonly TypeChange[] }> {
  const { version, types } = await createCatalogueStore(database).read();
  const definitions = new Map(types.map((type) => [type.name, type]));
  const plan = planChanges(parseCatalogue(text), definitions, extent);
  if ('mistakes' in plan) throw refused(plan.mistakes, terminal);
  return { stored: createCatalogue(version, types), changes: plan.changes };
}

/** Unchanged types are registered, too: the registry may have lost them. */
async function register(env: NodeJS.ProcessEnv, changes: readonly TypeChange[]): Promise<void> {
  const config = readConfig(env, KAFKA);
  const registry = createRegistryClient(config.SCHEMA_REGISTRY_URL, registryAccess(config));
  const types = changes.map(({ type }) => customEventType(type));
  await registerTypes(registry, config.TOPIC_PREFIX, types).catch((cause: unknown) => {
    const problem = `the schema registry at ${config.SCHEMA_REGISTRY_URL} fails: ${explainRegistry(cause)}`;
    throw new ProblemsFound(`${problem}; nothing was stored`, { cause });
  });
}

function refused(mistakes: readonly Mistake[], { printError }: Terminal): ProblemsFound {
  for (const { path, message } of mistakes)
    printError([path, message].filter((part) => part !== '').join(' '));
  const count = mistakes.length === 1 ? '1 mistake' : `${mistakes.length} mistakes`;
  return new ProblemsFound(`the catalogue has ${count}; nothing was stored`);
}

function printChanges(changes: readonly TypeChange[], { print }: Terminal): void {
  for (const { type, changed } of changes)
    print(changed.includes('added') ? `added   ${type.name}` : `changed ${type.name}: ${changed.join(', ')}`);
}

async function readText(file: string): Promise<string> {
  if (file === STANDARD_INPUT) return textOf(process.stdin);
  return readFile(file, 'utf8').catch((cause: unknown) => {
    throw new UsageError(`${file} cannot be read: ${cause instanceof Error ? cause.message : cause}`);
  });
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
