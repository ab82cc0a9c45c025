import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Exit } from '../../processes/start-process.js';
import type { Java } from './tools.js';

/** Parsed classes of a Java program, which halve the time and memory of its later starts. */
export interface ClassArchive {
  readonly flags: readonly string[];
  /** To be called when the program has exited: keeps the archive that it wrote on exit. */
  readonly keep: (exit: Exit) => void;
}

const TOLERANT = '-XX:+IgnoreUnrecognizedVMOptions';

/**
 * The archive of the program in `part` for this Java: used when there is one, else written to `directory` when the
 * program ends. Java ignores an archive that does not fit.
 */
export function classArchive(part: string, directory: string, java: Java): ClassArchive {
  const kept = join(part, `classes-${java.version.replaceAll(/[^\w.+-]/g, '_')}.jsa`);
  if (existsSync(kept)) return { flags: [TOLERANT, `-XX:SharedArchiveFile=${kept}`], keep: () => {} };
  const written = join(directory, 'classes.jsa');
  rmSync(written, { force: true });
  return {
    flags: [TOLERANT, `-XX:ArchiveClassesAtExit=${written}`],
    keep: (exit) => {
      if (exit.signal !== 'SIGKILL' && existsSync(written)) moveIfPossible(written, kept);
    },
  };
}

/** Works across file systems, and is atomic for readers. Without the archive the next start only takes longer. */
function moveIfPossible(from: string, to: string): void {
  const unfinished = `${to}.${process.pid}`;
  try {
    copyFileSync(from, unfinished);
    renameSync(unfinished, to);
    rmSync(from);
  } catch {
    rmSync(unfinished, { force: true });
  }
}
