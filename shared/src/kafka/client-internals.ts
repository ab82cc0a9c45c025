import { createRequire } from 'node:module';

/** A class inside the Kafka client of which something is replaced, and what is replaced or used of it. */
export interface ClientInternals {
  /** Path of the module whose only export it is. */
  readonly module: string;
  /** Its methods, each with the fields that it must work on. */
  readonly methods: Readonly<Record<string, readonly string[]>>;
}

/** The client's insides are no longer what the replacement was written for. */
export class UnknownInternals extends Error {
  override readonly name = 'UnknownInsides';

  constructor({ module }: ClientInternals, missing: string) {
    super(
      `${module}: ${missing} not found. What we replace there cannot be replaced; check whether that is still needed`,
    );
  }
}

/** The class itself. */
export function loadInternals({ module }: ClientInternals): unknown {
  return createRequire(import.meta.url)(module);
}

/** What instances of the class share. @throws UnknownInsides when it does not look as expected */
export function prototypeOf<Prototype>(insides: ClientInternals, found: unknown): Prototype {
  if (typeof found !== 'function') throw new UnknownInternals(insides, 'the class');
  for (const [name, fields] of Object.entries(insides.methods)) {
    const method: unknown = found.prototype?.[name];
    if (typeof method !== 'function') throw new UnknownInternals(insides, `${name}()`);
    const field = fields.find((one) => !String(method).includes(`this.${one}`));
    if (field !== undefined) throw new UnknownInternals(insides, `this.${field} in ${name}()`);
  }
  return found.prototype;
}
