import type { Java } from './tools.js';

/** What fetching a program needs. */
export interface FetchContext {
  readonly env: NodeJS.ProcessEnv;
  readonly java: Java;
  /** Kept when a download is interrupted, so that the next one resumes. */
  readonly downloads: string;
}
