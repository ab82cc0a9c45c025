import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);

/**
 * What a module of the client library exports itself, also if it is patched in this process or will be.
 *
 * @param uses the modules that it uses and that are to be unpatched as well
 */
export function unpatched<Exports>(module: string, uses: readonly string[] = []): Exports {
  const paths = [module, ...uses].map((one) => load.resolve(one));
  const cached = paths.map((path) => load.cache[path]);
  for (const path of paths) delete load.cache[path];
  const exported = load(module);
  for (const [index, path] of paths.entries()) {
    const before = cached[index];
    if (before === undefined) delete load.cache[path];
    else load.cache[path] = before;
  }
  return exported;
}
