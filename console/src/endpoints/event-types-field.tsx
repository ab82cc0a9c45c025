import { useState } from 'react';
import { texts } from '../texts/en.js';
import { Button } from '../ui/button.js';
import { CheckboxField } from '../ui/checkbox-field.js';
import filterStyles from '../ui/filter-bar.module.css';
import formStyles from '../ui/form.module.css';
import { TextField } from '../ui/text-field.js';
import { useEventTypes } from './use-event-types.js';

interface EventTypesFieldProps {
  readonly value: readonly string[];
  readonly error: string | undefined;
  onChange(value: string[]): void;
}

const ALL = '*';

/** The event types that an endpoint receives: all, or names and prefixes. */
export function EventTypesField({ value, error, onChange }: EventTypesFieldProps) {
  const known = useEventTypes();
  const isAll = value.includes(ALL);
  const names = [...new Set([...known, ...value])].filter((name) => name !== ALL).toSorted();
  return (
    <div className={formStyles.wide}>
      <CheckboxField
        label={texts.endpoints.eventTypes}
        value={isAll ? [ALL] : []}
        options={[{ value: ALL, label: texts.endpoints.types.all }]}
        onChange={(chosen) => onChange(chosen.length > 0 ? [ALL] : [])}
      />
      {!isAll && (
        <>
          <CheckboxField
            label={texts.endpoints.types.some}
            value={value}
            options={names.map((name) => ({ value: name, label: name }))}
            onChange={onChange}
          />
          <PrefixField error={error} onAdd={(prefix) => onChange([...new Set([...value, prefix])])} />
        </>
      )}
    </div>
  );
}

function PrefixField({ error, onAdd }: { readonly error: string | undefined; onAdd(prefix: string): void }) {
  const [prefix, setPrefix] = useState('');
  return (
    <div className={filterStyles.fields}>
      <TextField label={texts.endpoints.types.prefix} error={error} value={prefix} onChange={setPrefix} />
      <div className={filterStyles.buttons}>
        <Button
          isDisabled={prefix.trim() === ''}
          onPress={() => {
            onAdd(prefix.trim());
            setPrefix('');
          }}
        >
          {texts.endpoints.types.add}
        </Button>
      </div>
    </div>
  );
}
