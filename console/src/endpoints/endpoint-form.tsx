import { useState } from 'react';
import { Form } from 'react-aria-components/Form';
import { texts } from '../texts/en.js';
import { Button } from '../ui/button.js';
import { ErrorPanel } from '../ui/error-panel.js';
import { fieldErrors } from '../ui/field-errors.js';
import { TextField } from '../ui/text-field.js';
import styles from './endpoints.module.css';
import { EventTypesField } from './event-types-field.js';

export interface EndpointSettings {
  readonly url: string;
  readonly eventTypes: readonly string[];
  readonly description: string;
}

interface EndpointFormProps {
  readonly initial: EndpointSettings;
  readonly submitLabel: string;
  readonly error: unknown;
  readonly isPending: boolean;
  onSubmit(settings: EndpointSettings): void;
}

/** The api decides what is valid; its messages are shown at their fields. */
export function EndpointForm({ initial, submitLabel, error, isPending, onSubmit }: EndpointFormProps) {
  const [url, setUrl] = useState(initial.url);
  const [eventTypes, setEventTypes] = useState(initial.eventTypes);
  const [description, setDescription] = useState(initial.description);
  const errors = fieldErrors(error);
  return (
    <Form
      className={styles.form ?? ''}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit({ url: url.trim(), eventTypes, description });
      }}
    >
      <TextField
        label={texts.endpoints.url}
        description={texts.endpoints.urlHint}
        error={errors.url}
        placeholder="https://example.com/webhooks"
        value={url}
        onChange={setUrl}
      />
      <TextField
        label={texts.endpoints.description}
        error={errors.description}
        value={description}
        onChange={setDescription}
      />
      <EventTypesField value={eventTypes} onChange={setEventTypes} />
      {error !== null && <ErrorPanel error={error} />}
      <Button
        type="submit"
        look="primary"
        isDisabled={url.trim() === '' || eventTypes.length === 0 || isPending}
      >
        {submitLabel}
      </Button>
    </Form>
  );
}
