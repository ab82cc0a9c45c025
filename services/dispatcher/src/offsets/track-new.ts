import type { Log } from '@postrider/shared/ports/log';
import type { OpenOffsets, Source, TrackedSource } from './open-offsets.js';

interface TrackNewParts {
  readonly offsets: Pick<OpenOffsets, 'classify' | 'track'>;
  /** Called before the first offset of a partition that restarted is tracked: offsets read from it before are no longer tracked. */
  readonly onReset?: (source: Source) => void;
  readonly log: Pick<Log, 'warn'>;
}

/** Returns a function that tracks the offset of a message. It returns null if the message is not to be handled. */
export function createTrackNew({ offsets, onReset = () => {}, log }: TrackNewParts) {
  /** @param key the key of its work, if it has one */
  return (source: Source, key: string | null): TrackedSource | null => {
    const kind = offsets.classify(source);
    if (kind === 'unassigned' || kind === 'duplicate') return null;
    if (kind === 'reset') {
      log.warn(
        { event: 'partition.reset', ...source },
        'a partition restarted below its committed offset: was the topic recreated? Its messages are read from there',
      );
      onReset(source);
    }
    return offsets.track(source, key);
  };
}
