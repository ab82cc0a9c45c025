import { texts } from '../texts/en.js';
import { Button } from '../ui/button.js';
import { CheckboxField } from '../ui/checkbox-field.js';
import { ErrorPanel } from '../ui/error-panel.js';
import filterStyles from '../ui/filter-bar.module.css';
import formStyles from '../ui/form.module.css';
import { TextField } from '../ui/text-field.js';
import { ALL, type EventTypesDraft, eventTypesOf, typesDraftOf } from './event-types-draft.js';
import { useEventTypes } from './use-event-types.js';

interface EventTypesFieldProps {
  readonly value: EventTypesDraft;
  readonly error: string | undefined;
  onChange(value: EventTypesDraft): void;
}

/** The event types that an endpoint receives: all, or names and prefixes. */
export function EventTypesField({ value, error, onChange }: EventTypesFieldProps) {
  const { data: known = [], error: readError, refetch } = useEventTypes();
  const { isAll, chosen } = value;
  const names = [...new Set([...known, ...chosen])].toSorted();
  return (
    <div className={formStyles.wide}>
      <CheckboxField
        label={texts.endpoints.eventTypes}
        value={isAll ? [ALL] : []}
        options={[{ value: ALL, label: texts.endpoints.types.all }]}
        onChange={(all) => onChange({ ...value, isAll: all.length > 0 })}
      />
      {!isAll && (
        <>
          {readError !== null && <ErrorPanel error={readError} onRetry={() => void refetch()} />}
          <CheckboxField
            label={texts.endpoints.types.some}
            value={chosen}
            options={names.map((name) => ({ value: name, label: name }))}
            onChange={(changed) => onChange({ ...value, chosen: changed })}
          />
          <PrefixField
            value={value.entered}
            error={error}
            onChange={(entered) => onChange({ ...value, entered })}
            onAdd={() => onChange(typesDraftOf(eventTypesOf(value)))}
          />
        </>
      )}
    </div>
  );
}

interface PrefixFieldProps {
  readonly value: string;
  readonly error: string | undefined;
  onChange(value: string): void;
  onAdd(): void;
}

/** Enter adds what was entered; without it, Enter submits the form. */
function PrefixField({ value, error, onChange, onAdd }: PrefixFieldProps) {
  const isEmpty = value.trim() === '';
  return (
    <div className={filterStyles.fields}>
      <TextField
        label={texts.endpoints.types.prefix}
        error={error}
        value={value}
        onChange={onChange}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || isEmpty) return event.continuePropagation();
          event.preventDefault();
          onAdd();
        }}
      />
      <div className={filterStyles.buttons}>
        <Button isDisabled={isEmpty} onPress={onAdd}>
          {texts.endpoints.types.add}
        </Button>
      </div>
    </div>
  );
}
