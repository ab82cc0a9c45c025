import type { Response } from 'express';

/** @param readiness lists the problems that keep the service from working; empty when it is ready */
export function answerReadiness(readiness: () => Promise<readonly string[]>) {
  return async (response: Response): Promise<void> => {
    const problems = await readiness();
    const isReady = problems.length === 0;
    response.status(isReady ? 200 : 503).json({ status: isReady ? 'ready' : 'not ready', missing: problems });
  };
}

/** Answers as long as the event loop is not blocked. */
export function liveness(response: Response): void {
  response.json({ status: 'alive' });
}
