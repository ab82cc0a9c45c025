import type { Log } from '@postrider/shared/ports/log';
import type { Engine } from '../engine/engine.js';

interface FenceParts {
  /** Whether this member has had no heartbeat for a whole session. */
  readonly isCutOff: () => boolean;
  readonly engine: Pick<Engine, 'pause' | 'resume'>;
  readonly log: Log;
}

/**
 * Pauses the engine while this member has had no heartbeat for a session. The group has given its partitions to other
 * members by then, which may be sending the same deliveries.
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
          'no heartbeat for a session; sending is paused until the broker responds',
        );
      } else {
        engine.resume();
        log.info({ event: 'consumer.heard' }, 'the broker responds again; sending resumes');
      }
    },
  };
}
