import { Checkbox } from 'react-aria-components/Checkbox';
import { CheckboxGroup } from 'react-aria-components/CheckboxGroup';
import { Label } from 'react-aria-components/Label';
import styles from './controls.module.css';

interface CheckboxFieldProps<T extends string> {
  readonly label: string;
  readonly value: readonly T[];
  readonly options: readonly { readonly value: T; readonly label: string }[];
  onChange(value: T[]): void;
}

/** Any number of a few values. */
export function CheckboxField<T extends string>({ label, value, options, onChange }: CheckboxFieldProps<T>) {
  return (
    <CheckboxGroup
      className={styles.field ?? ''}
      value={[...value]}
      onChange={(chosen) =>
        onChange(options.flatMap((option) => (chosen.includes(option.value) ? [option.value] : [])))
      }
    >
      <Label className={styles.label}>{label}</Label>
      {options.map((option) => (
        <Checkbox key={option.value} value={option.value} className={styles.checkbox ?? ''}>
          <span className={styles.box} aria-hidden="true" />
          {option.label}
        </Checkbox>
      ))}
    </CheckboxGroup>
  );
}
