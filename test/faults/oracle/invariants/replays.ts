import { type Invariant, TERMINAL } from '../evidence.js';

/** I6: a replay has exactly its source's payload, and leaves the source unchanged. */
export const replaysAreVerbatim: Invariant = ({ now, before }) => {
  const wrong: string[] = [];
  for (const replay of now.deliveries.values()) {
    const source = now.deliveries.get(replay.replayedFrom ?? '');
    if (source === undefined) continue;
    if (source.payloadHash !== replay.payloadHash || source.eventType !== replay.eventType)
      wrong.push(`${replay.id} is not a verbatim replay of ${source.id}`);
    const earlier = before?.deliveries.get(source.id);
    if (earlier !== undefined && TERMINAL.has(earlier.status) && earlier.hash !== source.hash)
      wrong.push(`${source.id} was changed by its replay`);
  }
  return wrong;
};
