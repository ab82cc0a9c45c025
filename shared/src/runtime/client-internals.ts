import { createRequire } from 'node:module';

/** An internal class or function of a client library that we patch, with the parts that the patch replaces or uses. */
export interface ClientInternals {
  readonly module: string;
  /** Its name among the exports of the module; absent: the module exports only this one. */
  readonly name?: string;
  /** Its methods, each with the fields that it must use. */
  readonly methods: Readonly<Record<string, readonly string[]>>;
}

/** The internals of a client library have changed since the patch was written. */
export class UnknownInternals extends Error {
  override readonly name = 'UnknownInternals';

  constructor({ module }: ClientInternals, missing: string) {
    super(
      `${module}: ${missing} not found, so it cannot be patched; check whether the patch is still needed`,
    );
  }
}

/** Loads the class. */
export function loadInternals({ module, name }: ClientInternals): unknown {
  const loaded = createRequire(import.meta.url)(module);
  return name === undefined ? loaded : loaded[name];
}

/** Returns the prototype of the class. @throws UnknownInternals if it is not as expected */
export function prototypeOf<Prototype>(internals: ClientInternals, loaded: unknown): Prototype {
  if (typeof loaded !== 'function') throw new UnknownInternals(internals, 'the class');
  for (const [name, fields] of Object.entries(internals.methods)) {
    const method: unknown = loaded.prototype?.[name];
    if (typeof method !== 'function') throw new UnknownInternals(internals, `${name}()`);
    const field = fields.find((one) => !String(method).includes(`this.${one}`));
    if (field !== undefined) throw new UnknownInternals(internals, `this.${field} in ${name}()`);
  }
  return loaded.prototype;
}

/**
 * Replaces the function that a module of a client library exports, alone or under a name.
 *
 * @param users the modules that use it. They keep what it exports when they are loaded, at the first request
 * @throws UnknownInternals if the module exports no function, or a user is loaded already
 */
export function replaceExported<Exported extends (...parts: never[]) => unknown>(
  internals: ClientInternals,
  users: readonly string[],
  replace: (usual: Exported) => Exported,
): void {
  const load = createRequire(import.meta.url);
  const usual = loadInternals(internals);
  const loaded = load.cache[load.resolve(internals.module)];
  if (typeof usual !== 'function' || loaded === undefined)
    throw new UnknownInternals(internals, 'the function');
  if (users.some((user) => load.cache[load.resolve(user)] !== undefined))
    throw new UnknownInternals(internals, 'modules that have not loaded it yet');
  const replacement = replace(usual as Exported);
  if (internals.name === undefined) loaded.exports = replacement;
  else loaded.exports[internals.name] = replacement;
}
