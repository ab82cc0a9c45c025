import type { Fault } from '../fault.js';

/** Preloaded by every process that gets these variables, whenever it starts. */
const BREAK = new URL('./break.js', import.meta.url).href;

/** The fault with all services, and the admin program, of a broken build. */
export const inBuild = (fault: Fault, build: string): Fault => ({
  ...fault,
  settings: (directory) => ({
    ...fault.settings?.(directory),
    NODE_OPTIONS: `--import=${BREAK}`,
    BROKEN_BUILD: build,
  }),
});
