import type { Java } from './tools.js';

/** Input for fetching a program. */
export interface FetchContext {
  readonly env: NodeJS.ProcessEnv;
  readonly java: Java;
  /** Kept when a download is interrupted, so that the next one resumes. */
  readonly downloads: string;
}
