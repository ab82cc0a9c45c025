import { useEffect, useRef, useState } from 'react';
import { useClient } from '../session/use-client.js';
import { type LiveOutcome, outcomeOf, withFresh } from './live-outcomes.js';

/** A busy workspace has thousands a second; the page is drawn twice a second. */
const DRAW_MS = 500;

/** The newest outcomes, as they happen. After a pause or an error it continues behind the last one that was shown. */
export function useLiveOutcomes(isPaused: boolean) {
  const client = useClient();
  const position = useRef<string | null>(null);
  const [outcomes, setOutcomes] = useState<readonly LiveOutcome[]>([]);
  const [error, setError] = useState<unknown>(null);
  const isStopped = isPaused || error !== null;
  useEffect(() => {
    if (isStopped) return;
    const controller = new AbortController();
    let fresh: readonly LiveOutcome[] = [];
    const draw = () => {
      const drawn = fresh;
      fresh = [];
      if (drawn.length > 0) setOutcomes((shown) => withFresh(shown, drawn.toReversed()));
    };
    const timer = setInterval(draw, DRAW_MS);
    const follow = async () => {
      const { signal } = controller;
      const behind = position.current === null ? {} : { lastEventId: position.current };
      for await (const message of client.stream({}, { signal, ...behind })) {
        if (message.id !== null) position.current = message.id;
        const outcome = outcomeOf(message);
        if (outcome !== null) fresh = withFresh(fresh, [outcome]);
      }
    };
    follow().catch((caught: unknown) => {
      if (!controller.signal.aborted) setError(caught);
    });
    return () => {
      clearInterval(timer);
      controller.abort();
      // The position is behind them already.
      draw();
    };
  }, [client, isStopped]);
  return { outcomes, error, retry: () => setError(null) };
}
