import type { Exit } from '../../processes/start-process.js';
import type { Java } from './tools.js';

/** Where a server of the native stack finds its program and puts its things. */
export interface ServerContext {
  /** The directory of the cache with its program. */
  readonly part: string;
  /** Its data and configuration. */
  readonly directory: string;
  readonly logFile: string;
  readonly java: Java;
  readonly env: NodeJS.ProcessEnv;
}

/** A server that is ready to be started, and started again, with the same data on the same port. */
export interface NativeServer {
  readonly command: string;
  readonly args: readonly string[];
  /** Resolves when a client can work with it; rejects when the signal aborts or it takes too long. */
  readonly untilReady: (signal: AbortSignal) => Promise<void>;
  /** To be called once it has ended for good. */
  readonly onStopped?: (exit: Exit) => void;
}
