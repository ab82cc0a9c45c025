import type { StreamOptions } from '@postrider/client';
import { explainError } from '../context/explain-error.js';
import type { Terminal } from '../context/terminal.js';

/** Says on standard error that a stream is interrupted, once, and that it is connected again: without events both look the same. */
export function reportInterruptions({
  printError,
}: Pick<Terminal, 'printError'>): Required<Pick<StreamOptions, 'onOpen' | 'onDisconnect'>> {
  let isInterrupted = false;
  return {
    onDisconnect({ error }) {
      if (isInterrupted) return;
      isInterrupted = true;
      const [reason] = error === null ? [] : explainError(error).lines;
      printError(`The connection is lost; trying again.${reason === undefined ? '' : ` ${reason}`}`);
    },
    onOpen() {
      if (isInterrupted) printError('Connected again.');
      isInterrupted = false;
    },
  };
}
