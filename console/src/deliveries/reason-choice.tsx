import { FAILURE_REASONS, isAttemptFailureReason } from '@postrider/client';
import { texts } from '../texts/en.js';
import { Choice } from '../ui/choice.js';
import { withGiven } from '../ui/with-given.js';
import { FAILED_ATTEMPTS } from './failed-attempts.js';

/** Each is one reason, or several separated by commas; empty for any. */
interface ReasonFilter {
  readonly failureReason: string;
  readonly lastFailureReason: string;
}

interface ReasonChoiceProps {
  readonly filter: Partial<ReasonFilter>;
  onChange(filter: ReasonFilter): void;
}

/**
 * One choice for the reason of the last attempt, which finds deliveries whether or not their retries are exhausted, and for
 * reasons that only a delivery has.
 */
export function ReasonChoice({ filter, onChange }: ReasonChoiceProps) {
  const { failureReason = '', lastFailureReason = '' } = filter;
  const value = [failureReason, lastFailureReason].filter((given) => given !== '').join(',');
  const known = FAILURE_REASONS.map((reason) => ({ value: reason, label: texts.failureReasons[reason] }));
  return (
    <Choice
      label={texts.delivery.reason}
      value={value}
      options={withGiven(value, [
        { value: '', label: texts.replays.anyReason },
        { value: FAILED_ATTEMPTS, label: texts.replays.anyAttempt },
        ...known,
      ])}
      onChange={(chosen) => {
        const reason = FAILURE_REASONS.find((name) => name === chosen);
        const isOfAttempts =
          chosen === FAILED_ATTEMPTS || (reason !== undefined && isAttemptFailureReason(reason));
        onChange({
          failureReason: isOfAttempts ? '' : chosen,
          lastFailureReason: isOfAttempts ? chosen : '',
        });
      }}
    />
  );
}
