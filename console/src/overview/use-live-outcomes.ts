import type { StreamDisconnection } from '@postrider/client';
import { useEffect, useRef, useState } from 'react';
import { useClient } from '../session/use-client.js';
import { useIsHidden } from '../ui/use-is-hidden.js';
import { type LiveLine, lineOf, withFresh } from './live-outcomes.js';

/** A busy workspace has thousands a second; the page is drawn twice a second. */
const DRAW_MS = 500;
/** A stream is one of ten of the token, and one of six connections of a browser. A short look at another tab keeps it. */
const HIDDEN_MS = 30_000;
/** The stream itself connects again. */
const NO_RETRIES = { times: 0 };

/**
 * The newest outcomes, as they happen while the page is visible. After a pause or an error it continues where it stopped, or has
 * a gap.
 */
export function useLiveOutcomes(isPaused: boolean) {
  const client = useClient(NO_RETRIES);
  const isHidden = useIsHidden(HIDDEN_MS);
  const position = useRef<string | null>(null);
  const received = useRef(0);
  const [lines, setLines] = useState<readonly LiveLine[]>([]);
  const [error, setError] = useState<unknown>(null);
  const [disconnection, setDisconnection] = useState<StreamDisconnection | null>(null);
  const isStopped = isPaused || isHidden || error !== null;
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
      const options = {
        signal,
        firstFailure: 'retry' as const,
        onOpen: () => setDisconnection(null),
        onDisconnect: setDisconnection,
        onPosition: (id: string) => {
          position.current = id;
        },
        ...(position.current !== null && { lastEventId: position.current }),
      };
      for await (const message of client.stream({}, options)) {
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
      setDisconnection(null);
      // The position is behind them already.
      draw();
    };
  }, [client, isStopped]);
  return { lines, error, disconnection, retry: () => setError(null) };
}
