import { useEffect, useRef, useState } from 'react';
import { useClient } from '../session/use-client.js';
import { type LiveLine, lineOf, withFresh } from './live-outcomes.js';

/** A busy workspace has thousands a second; the page is drawn twice a second. */
const DRAW_MS = 500;

/** The newest outcomes, as they happen. After a pause or an error it continues where it stopped, or has a gap. */
export function useLiveOutcomes(isPaused: boolean) {
  const client = useClient();
  const position = useRef<string | null>(null);
  const received = useRef(0);
  const [lines, setLines] = useState<readonly LiveLine[]>([]);
  const [error, setError] = useState<unknown>(null);
  const isStopped = isPaused || error !== null;
  useEffect(() => {
    if (isStopped) return;
    const controller = new AbortController();
    let fresh: readonly LiveLine[] = [];
    const draw = () => {
      const drawn = fresh;
      fresh = [];
      if (drawn.length > 0) setLines((shown) => withFresh(shown, drawn.toReversed()));
    };
    const timer = setInterval(draw, DRAW_MS);
    const follow = async () => {
      const { signal } = controller;
      const behind = position.current === null ? {} : { lastEventId: position.current };
      const onPosition = (id: string) => {
        position.current = id;
      };
      for await (const message of client.stream({}, { signal, onPosition, ...behind })) {
        // It would not be drawn, so the position stays before it.
        if (signal.aborted) return;
        received.current += 1;
        const line = lineOf(message, received.current);
        if (line !== null) fresh = withFresh(fresh, [line]);
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
  return { lines, error, retry: () => setError(null) };
}
