import { useState } from 'react';
import { Form } from 'react-aria-components/Form';
import { texts } from '../texts/en.js';
import { Button } from '../ui/button.js';
import { Choice } from '../ui/choice.js';
import { TextField } from '../ui/text-field.js';
import styles from './deliveries.module.css';
import { type DeliveryFilter, readDeliveryFilter, STATUSES } from './delivery-filter.js';

interface DeliveryFiltersProps {
  readonly filter: DeliveryFilter;
  onChange(filter: DeliveryFilter): void;
}

const FIELDS = [
  'endpointId',
  'eventType',
  'eventId',
  'traceId',
  'httpStatus',
  'createdAfter',
  'createdBefore',
] as const;

/** Applied when the form is submitted: each change would be a request. */
export function DeliveryFilters({ filter, onChange }: DeliveryFiltersProps) {
  const [draft, setDraft] = useState<Readonly<Record<string, unknown>>>(filter);
  const change = (name: string) => (value: string) => setDraft({ ...draft, [name]: value });
  return (
    <Form
      className={styles.filters ?? ''}
      aria-label={texts.deliveries.filters}
      onSubmit={(event) => {
        event.preventDefault();
        onChange(readDeliveryFilter(draft));
      }}
    >
      <Choice
        label={texts.deliveries.status}
        value={String(draft.status ?? '')}
        options={[
          { value: '', label: texts.deliveries.anyStatus },
          ...STATUSES.map((value) => ({ value, label: texts.deliveries.statuses[value] })),
        ]}
        onChange={change('status')}
      />
      {FIELDS.map((name) => (
        <TextField
          key={name}
          label={texts.deliveries.filterNames[name]}
          value={String(draft[name] ?? '')}
          onChange={change(name)}
        />
      ))}
      <div className={styles.buttons}>
        <Button type="submit" look="primary">
          {texts.deliveries.apply}
        </Button>
        <Button
          onPress={() => {
            setDraft({});
            onChange({});
          }}
        >
          {texts.deliveries.clear}
        </Button>
      </div>
    </Form>
  );
}
