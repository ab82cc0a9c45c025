import { createRequire } from 'node:module';

/** A class inside the Kafka client of which something is replaced, and what is replaced or used of it. */
export interface Insides {
  /** Path of the module whose only export it is. */
  readonly module: string;
  readonly methods: readonly string[];
  readonly fields: readonly string[];
}

/** The client's insides are no longer what the replacement was written for. */
export class UnknownInsides extends Error {
  override readonly name = 'UnknownInsides';

  constructor({ module }: Insides, missing: string) {
    super(
      `${module}: ${missing} not found. What we replace there cannot be replaced; check whether that is still needed`,
    );
  }
}

/** The class itself. */
export function loadInsides({ module }: Insides): unknown {
  return createRequire(import.meta.url)(module);
}

/** What instances of the class share. @throws UnknownInsides when it does not look as expected */
export function prototypeOf<Prototype>(insides: Insides, found: unknown): Prototype {
  if (typeof found !== 'function') throw new UnknownInsides(insides, 'the class');
  const method = insides.methods.find((name) => typeof found.prototype?.[name] !== 'function');
  if (method !== undefined) throw new UnknownInsides(insides, `${method}()`);
  const field = insides.fields.find((name) => !String(found).includes(`this.${name}`));
  if (field !== undefined) throw new UnknownInsides(insides, `this.${field}`);
  return found.prototype;
}
