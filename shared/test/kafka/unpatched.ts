import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);

/** What a module of the client library exports itself, also where it is patched in this process. */
export function unpatched<Exports>(module: string): Exports {
  const path = load.resolve(module);
  const cached = load.cache[path];
  delete load.cache[path];
  const exported = load(path);
  if (cached === undefined) delete load.cache[path];
  else load.cache[path] = cached;
  return exported;
}
