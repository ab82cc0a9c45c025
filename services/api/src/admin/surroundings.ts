import type { Terminal } from './terminal.js';

/** What the commands get from their process. */
export interface Surroundings {
  /** Has the addresses of the servers, as for the services. */
  readonly env: NodeJS.ProcessEnv;
  readonly terminal: Terminal;
}
