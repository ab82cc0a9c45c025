import type { Log } from '@postrider/shared/ports/log';
import type { Engine } from '../engine/engine.js';

interface FenceParts {
  /** Whether the broker has had no heartbeat from this member for the time that the group waits for one. */
  readonly isCutOff: () => boolean;
  readonly engine: Pick<Engine, 'pause' | 'resume'>;
  readonly log: Log;
}

/**
 * Pauses the engine while this member is cut off: the group may have given its partitions to other members, which may be
 * sending the same deliveries.
 */
export function createFence({ isCutOff, engine, log }: FenceParts): { check(): void } {
  let isFenced = false;
  return {
    check() {
      const cutOff = isCutOff();
      if (cutOff === isFenced) return;
      isFenced = cutOff;
      if (cutOff) {
        engine.pause();
        log.warn(
          { event: 'consumer.cut_off' },
          'no heartbeat for as long as the group waits for a member; sending is paused until the broker responds',
        );
      } else {
        engine.resume();
        log.info({ event: 'consumer.heard' }, 'the broker responds again; sending resumes');
      }
    },
  };
}
