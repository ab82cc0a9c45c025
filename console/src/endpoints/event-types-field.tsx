import { Checkbox } from 'react-aria-components/Checkbox';
import { CheckboxGroup } from 'react-aria-components/CheckboxGroup';
import { Label } from 'react-aria-components/Label';
import { texts } from '../texts/en.js';
import styles from '../ui/controls.module.css';
import { useEventTypes } from './use-event-types.js';

interface EventTypesFieldProps {
  readonly value: readonly string[];
  onChange(value: string[]): void;
}

/** The event types that an endpoint receives. */
export function EventTypesField({ value, onChange }: EventTypesFieldProps) {
  const known = useEventTypes();
  const names = [...new Set([...known, ...value])].toSorted();
  return (
    <CheckboxGroup className={styles.field ?? ''} value={[...value]} onChange={onChange}>
      <Label className={styles.label}>{texts.endpoints.eventTypes}</Label>
      {names.map((name) => (
        <Checkbox key={name} value={name} className={styles.checkbox ?? ''}>
          <span className={styles.box} aria-hidden="true" />
          {name}
        </Checkbox>
      ))}
    </CheckboxGroup>
  );
}
