import type { components } from '@postrider/client';
import { texts } from '../texts/en.js';
import { Time } from '../ui/time.js';
import styles from './sending-holds.module.css';

export type SendingHold = components['schemas']['SendingHold'];

interface SendingHoldsProps {
  /** Those of the answer that the page shows; undefined while nothing is held or known. */
  readonly holds: readonly SendingHold[] | undefined;
}

/**
 * Why sending is held, since when, and that it resumes by itself. The element stays while nothing is held: screen readers
 * announce what appears in it.
 */
export function SendingHolds({ holds = [] }: SendingHoldsProps) {
  return (
    <div role="status" className={styles.holds}>
      {holds.map(({ cause, since }) => (
        <div key={cause} className={styles.hold}>
          <strong>
            {since === null ? (
              texts.holds.title
            ) : (
              <>
                {texts.holds.since} <Time at={since} />
              </>
            )}
          </strong>
          <p>{texts.holds.causes[cause]}</p>
        </div>
      ))}
    </div>
  );
}
