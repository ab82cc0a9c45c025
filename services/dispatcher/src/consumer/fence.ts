import type { Log } from '@postrider/shared/ports/log';
import type { Engine } from '../engine/engine.js';

interface FenceParts {
  /** Has the group not heard of this member for a whole session? */
  readonly isCutOff: () => boolean;
  readonly engine: Pick<Engine, 'pause' | 'resume'>;
  readonly log: Log;
}

/**
 * A member that the group has not heard of for a session has been replaced, and is the last to learn it. Until it is
 * heard again it sends nothing: whatever it holds, somebody else may be sending.
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
          'no heartbeat for a session; sending nothing until the broker answers',
        );
      } else {
        engine.resume();
        log.info({ event: 'consumer.heard' }, 'the broker answers again; sending goes on');
      }
    },
  };
}
