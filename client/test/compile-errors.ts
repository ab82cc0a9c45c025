import ts from 'typescript';

const FILE = 'generated.ts';
const OPTIONS: ts.CompilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noEmit: true,
  target: ts.ScriptTarget.ES2022,
  lib: ['lib.es5.d.ts'],
  types: [],
};
/** Parsed once for all programs. */
const libraries = new Map<string, ts.SourceFile | undefined>();

/** The errors of the compiler in a module. */
export function compileErrors(code: string): readonly string[] {
  const host = ts.createCompilerHost(OPTIONS);
  const readLibrary = host.getSourceFile.bind(host);
  host.getSourceFile = (name, target) => {
    if (name === FILE) return ts.createSourceFile(name, code, target);
    if (!libraries.has(name)) libraries.set(name, readLibrary(name, target));
    return libraries.get(name);
  };
  return ts
    .getPreEmitDiagnostics(ts.createProgram([FILE], OPTIONS, host))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}
