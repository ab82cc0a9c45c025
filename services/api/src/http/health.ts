import type { Response } from 'express';

/** @param missing says what the service lacks before it can work; empty when it is ready */
export function readiness(missing: () => Promise<readonly string[]>) {
  return async (response: Response): Promise<void> => {
    const lacks = await missing();
    const isReady = lacks.length === 0;
    response.status(isReady ? 200 : 503).json({ status: isReady ? 'ready' : 'not ready', missing: lacks });
  };
}

/** The process runs and its event loop turns. */
export function liveness(response: Response): void {
  response.json({ status: 'alive' });
}
