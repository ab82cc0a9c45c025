import { useState } from 'react';
import { texts } from '../texts/en.js';
import { fromField, toField } from './field-time.js';
import { TextField } from './text-field.js';
import { offsetName, useZone, type Zone } from './time-zone.js';

interface MomentFieldProps {
  readonly label: string;
  readonly error?: string | undefined;
  /** A time in UTC, or empty. */
  readonly value: string;
  onChange(value: string): void;
}

/** Takes date and time in the zone in which times are shown. */
export function MomentField(props: MomentFieldProps) {
  const zone = useZone();
  return <ZonedField key={zone} {...props} zone={zone} />;
}

/** The text is kept as it is typed: the offset of a zone is not exact for the years that occur while a date is typed. */
function ZonedField({ value, onChange, zone, ...field }: MomentFieldProps & { readonly zone: Zone }) {
  const [text, setText] = useState(toField(value, zone));
  const [known, setKnown] = useState(value);
  if (value !== known) {
    setKnown(value);
    // It was not typed.
    if (fromField(text, zone) !== value) setText(toField(value, zone));
  }
  return (
    <TextField
      {...field}
      type="datetime-local"
      step="any"
      description={texts.time.zones[zone](offsetName(zone, value))}
      value={text}
      onChange={(changed) => {
        setText(changed);
        onChange(fromField(changed, zone));
      }}
    />
  );
}
