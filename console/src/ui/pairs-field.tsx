import { texts } from '../texts/en.js';
import { Button } from './button.js';
import controls from './controls.module.css';
import styles from './pairs-field.module.css';
import { TextField } from './text-field.js';

export interface Pair {
  readonly name: string;
  readonly value: string;
}

interface PairsFieldProps {
  readonly label: string;
  readonly description: string;
  readonly value: readonly Pair[];
  readonly error: string | undefined;
  onChange(value: readonly Pair[]): void;
}

/** Any number of names with a value each. */
export function PairsField({ label, description, value, error, onChange }: PairsFieldProps) {
  const change = (index: number, part: Partial<Pair>) =>
    onChange(value.map((pair, at) => (at === index ? { ...pair, ...part } : pair)));
  return (
    <fieldset className={styles.pairs}>
      <legend className={controls.label}>{label}</legend>
      <p className={controls.description}>{description}</p>
      {value.map((pair, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a pair has no identity but its place
        <div key={index} className={styles.pair}>
          <TextField
            label={texts.pairs.name(index + 1)}
            value={pair.name}
            onChange={(name) => change(index, { name })}
            autoComplete="off"
          />
          <TextField
            label={texts.pairs.value(index + 1)}
            value={pair.value}
            onChange={(text) => change(index, { value: text })}
            autoComplete="off"
          />
          <Button look="quiet" onPress={() => onChange(value.filter((_, at) => at !== index))}>
            {texts.pairs.remove}
          </Button>
        </div>
      ))}
      {error !== undefined && <p className={controls.error}>{error}</p>}
      <div>
        <Button onPress={() => onChange([...value, { name: '', value: '' }])}>
          {texts.pairs.add(label)}
        </Button>
      </div>
    </fieldset>
  );
}
