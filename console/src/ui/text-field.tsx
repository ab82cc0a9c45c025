import { FieldError } from 'react-aria-components/FieldError';
import { Input } from 'react-aria-components/Input';
import { Label } from 'react-aria-components/Label';
import { Text } from 'react-aria-components/Text';
import { TextArea } from 'react-aria-components/TextArea';
import {
  TextField as AriaTextField,
  type TextFieldProps as AriaTextFieldProps,
} from 'react-aria-components/TextField';
import styles from './controls.module.css';

interface TextFieldProps extends Omit<AriaTextFieldProps, 'className' | 'style' | 'children'> {
  readonly label: string;
  readonly description?: string | undefined;
  /** What is wrong with the value; the field is invalid while it is set. */
  readonly error?: string | undefined;
  readonly placeholder?: string;
  /** Of a time: `any` takes seconds and their fractions. */
  readonly step?: 'any';
  /** The id of a `datalist` with values to choose from. */
  readonly list?: string;
  /** More than one makes a text area. */
  readonly rows?: number;
}

export function TextField({
  label,
  description,
  error,
  placeholder,
  step,
  list,
  rows = 1,
  ...props
}: TextFieldProps) {
  const hint = placeholder === undefined ? {} : { placeholder };
  return (
    <AriaTextField
      {...props}
      className={styles.field ?? ''}
      isInvalid={error !== undefined}
      validationBehavior="aria"
    >
      <Label className={styles.label}>{label}</Label>
      {rows === 1 ? (
        <Input className={styles.input ?? ''} {...hint} step={step} list={list} />
      ) : (
        <TextArea className={styles.input ?? ''} rows={rows} {...hint} />
      )}
      {description !== undefined && (
        <Text slot="description" className={styles.description}>
          {description}
        </Text>
      )}
      <FieldError className={styles.error ?? ''}>{error}</FieldError>
    </AriaTextField>
  );
}
