import { Form } from 'react-aria-components/Form';
import { ReasonChoice } from '../deliveries/reason-choice.js';
import { REPLAYABLE_STATUSES } from '../deliveries/replayable-statuses.js';
import { EndpointField } from '../endpoint-names/endpoint-field.js';
import { useSession } from '../session/session-provider.js';
import { texts } from '../texts/en.js';
import { Button } from '../ui/button.js';
import { CheckboxField } from '../ui/checkbox-field.js';
import { Choice } from '../ui/choice.js';
import { fieldErrors } from '../ui/field-errors.js';
import styles from '../ui/form.module.css';
import { MomentField } from '../ui/moment-field.js';
import { TextField } from '../ui/text-field.js';
import { EndpointChoice } from './endpoint-choice.js';
import { isComplete, PERIODS, type ReplayDraft } from './replay-draft.js';

interface ReplayFormProps {
  readonly draft: ReplayDraft;
  readonly error: unknown;
  readonly isPending: boolean;
  onChange(changes: Partial<ReplayDraft>): void;
  onSubmit(): void;
}

const { replays } = texts;

/** Which deliveries, and how fast. The api decides what is valid. */
export function ReplayForm({ draft, error, isPending, onChange, onSubmit }: ReplayFormProps) {
  const errors = fieldErrors(error);
  const { endpointIds } = useSession();
  return (
    <Form
      className={styles.form ?? ''}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <div className={styles.fields}>
        <Choice
          label={replays.period}
          value={draft.period}
          options={PERIODS.map((value) => ({ value, label: replays.periods[value] }))}
          onChange={(period) => onChange({ period })}
        />
        {draft.period === 'custom' && <CustomPeriod draft={draft} error={error} onChange={onChange} />}
        {endpointIds === null ? (
          <EndpointField
            label={replays.endpointId}
            description={replays.anyHint}
            error={errors.endpointId}
            value={draft.endpointId}
            onChange={(endpointId) => onChange({ endpointId: endpointId.trim() })}
          />
        ) : (
          <EndpointChoice value={draft.endpointId} onChange={(endpointId) => onChange({ endpointId })} />
        )}
        <TextField
          label={texts.deliveries.event}
          description={replays.anyHint}
          error={errors.eventTypes}
          value={draft.eventType}
          onChange={(eventType) => onChange({ eventType: eventType.trim() })}
        />
        <ReasonChoice filter={draft} onChange={onChange} />
        <TextField
          label={replays.rate}
          description={replays.rateHint}
          error={errors.ratePerSecond}
          inputMode="numeric"
          value={String(draft.ratePerSecond)}
          onChange={(text) => onChange({ ratePerSecond: Number(text.replace(/\D/g, '')) })}
        />
      </div>
      <CheckboxField
        label={replays.statusesLabel}
        value={draft.statuses}
        options={REPLAYABLE_STATUSES.map((value) => ({ value, label: texts.deliveries.statuses[value] }))}
        onChange={(statuses) => onChange({ statuses })}
      />
      <CheckboxField
        label={replays.again}
        value={draft.includeReplayed ? ['yes'] : []}
        options={[{ value: 'yes', label: replays.includeReplayed }]}
        onChange={(values) => onChange({ includeReplayed: values.length > 0 })}
      />
      <Button type="submit" look="primary" isDisabled={isPending || !isComplete(draft, endpointIds)}>
        {replays.count}
      </Button>
    </Form>
  );
}

function CustomPeriod({ draft, error, onChange }: Pick<ReplayFormProps, 'draft' | 'error' | 'onChange'>) {
  const errors = fieldErrors(error);
  return (
    <>
      <MomentField
        label={texts.deliveries.filterNames.createdAfter}
        error={errors.createdAfter}
        value={draft.createdAfter}
        onChange={(createdAfter) => onChange({ createdAfter })}
      />
      <MomentField
        label={texts.deliveries.filterNames.createdBefore}
        error={errors.createdBefore}
        value={draft.createdBefore}
        onChange={(createdBefore) => onChange({ createdBefore })}
      />
    </>
  );
}
