import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { refreshShortLists } from '../session/first-page.js';
import { useClient } from '../session/use-client.js';
import type { useRepeatable } from '../session/use-repeatable.js';
import { NOTHING_YET, replaySelected } from './replay-selected.js';

/** Each `Retry-After` of up to a minute is waited for: the limit counts the requests of a minute. */
const RETRIES = { times: 6, longestWaitMs: 61_000 };

export interface ReplayedSelection {
  readonly ids: readonly string[];
  /** Sends the replay of each delivery so that it can be repeated. */
  readonly sendRepeatable: ReturnType<typeof useRepeatable>;
  /** Is called for each delivery that was replayed or refused. */
  onHandled(id: string): void;
}

/** Replays a selection, with what has happened so far and until when the server asked to wait. */
export function useReplaySelected({ ids, sendRepeatable, onHandled }: ReplayedSelection) {
  const [result, setResult] = useState(NOTHING_YET);
  const [waitsUntil, setWaitsUntil] = useState<string | null>(null);
  const retry = useMemo(() => {
    const sleep = async (ms: number) => {
      setWaitsUntil(new Date(Date.now() + ms).toISOString());
      await new Promise((resolve) => setTimeout(resolve, ms));
      setWaitsUntil(null);
    };
    return { ...RETRIES, sleep };
  }, []);
  const client = useClient(retry);
  const queries = useQueryClient();
  const mutation = useMutation({
    mutationFn: () =>
      replaySelected(
        ids,
        (deliveryId) =>
          sendRepeatable(deliveryId, ({ header }) =>
            client.post('/webhooks/deliveries/{deliveryId}/replay', {
              params: { path: { deliveryId }, header },
            }),
          ),
        (soFar, id) => {
          setResult(soFar);
          onHandled(id);
        },
      ),
    // A replay is a new delivery, so the rows that a long list shows stay as they are.
    onSettled: () => refreshShortLists(queries, ['deliveries']),
  });
  return { ...mutation, result, waitsUntil };
}
