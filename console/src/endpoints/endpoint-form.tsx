import type { components } from '@postrider/client';
import { problemWithForm } from '@postrider/shared/domain/webhook-url-form';
import { useState } from 'react';
import { Form } from 'react-aria-components/Form';
import { texts } from '../texts/en.js';
import { Button } from '../ui/button.js';
import { Choice } from '../ui/choice.js';
import { ErrorPanel } from '../ui/error-panel.js';
import { fieldErrors } from '../ui/field-errors.js';
import formStyles from '../ui/form.module.css';
import { TextField } from '../ui/text-field.js';
import { eventTypesOf, typesDraftOf } from './event-types-draft.js';
import { EventTypesField } from './event-types-field.js';
import type { EndpointSettings } from './settings-update.js';

const RECOVERIES = ['manual', 'probe'] as const satisfies readonly components['schemas']['Recovery'][];

interface EndpointFormProps {
  readonly initial: EndpointSettings;
  readonly submitLabel: string;
  readonly error: unknown;
  readonly isPending: boolean;
  onSubmit(settings: EndpointSettings): void;
}

/** Checks the form of the URL as the api does. What else is valid it decides; its messages are shown at their fields. */
export function EndpointForm({ initial, submitLabel, error, isPending, onSubmit }: EndpointFormProps) {
  const [url, setUrl] = useState(initial.url);
  const [types, setTypes] = useState(typesDraftOf(initial.eventTypes));
  const [description, setDescription] = useState(initial.description);
  const [recovery, setRecovery] = useState(initial.recovery);
  const [isUrlLeft, setUrlLeft] = useState(false);
  const eventTypes = eventTypesOf(types);
  const errors = fieldErrors(error);
  const urlProblem = problemWithForm(url.trim());
  return (
    <Form
      className={formStyles.wide ?? ''}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit({ url: url.trim(), eventTypes, description, recovery });
      }}
    >
      <TextField
        label={texts.endpoints.url}
        description={texts.endpoints.urlHint}
        error={isUrlLeft && url.trim() !== '' && urlProblem !== null ? urlProblem : errors.url}
        placeholder="https://example.com/webhooks"
        value={url}
        onChange={setUrl}
        onBlur={() => setUrlLeft(true)}
      />
      <TextField
        label={texts.endpoints.description}
        error={errors.description}
        value={description ?? ''}
        onChange={(text) => setDescription(text === '' ? null : text)}
      />
      <EventTypesField value={types} error={errors.eventTypes} onChange={setTypes} />
      <Choice
        label={texts.endpoints.recovery}
        value={recovery}
        options={RECOVERIES.map((value) => ({ value, label: texts.endpoints.recoveries[value] }))}
        onChange={setRecovery}
      />
      {error !== null && <ErrorPanel error={error} />}
      <Button
        type="submit"
        look="primary"
        isDisabled={urlProblem !== null || eventTypes.length === 0 || isPending}
      >
        {submitLabel}
      </Button>
    </Form>
  );
}
