import { type Evidence, type Invariant, TERMINAL } from '../evidence.js';

/** I6: a replay has its source's payload, verbatim, and the source stays as it was. */
export const replaysLeaveTheirSource: Invariant = ({ now, before }: Evidence) => {
  const wrong: string[] = [];
  for (const replay of now.rows.values()) {
    if (replay.replayedFrom === null) continue;
    const source = now.rows.get(replay.replayedFrom);
    if (source === undefined) continue;
    if (source.payloadHash !== replay.payloadHash || source.eventType !== replay.eventType)
      wrong.push(`${replay.id} is no verbatim replay of ${source.id}`);
    const earlier = before?.rows.get(source.id);
    if (earlier !== undefined && TERMINAL.has(earlier.status) && earlier.hash !== source.hash)
      wrong.push(`${source.id} changed although it was only replayed`);
  }
  return wrong;
};
