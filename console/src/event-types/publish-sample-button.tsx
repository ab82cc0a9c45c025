import type { components } from '@postrider/client';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Form } from 'react-aria-components/Form';
import { useMay } from '../session/session-provider.js';
import { useClient } from '../session/use-client.js';
import { useRepeatableMutation } from '../session/use-repeatable.js';
import { texts } from '../texts/en.js';
import { Button } from '../ui/button.js';
import { DialogButton } from '../ui/dialog-button.js';
import { ErrorPanel } from '../ui/error-panel.js';
import formStyles from '../ui/form.module.css';
import { TextField } from '../ui/text-field.js';
import { readSample } from './read-sample.js';

interface EventTypeProps {
  readonly eventType: components['schemas']['EventTypeInfo'];
}

/** Publishes an event of a custom type, with its example to begin with. Built-in events cannot be published. */
export function PublishSampleButton({ eventType }: EventTypeProps) {
  const mayPublish = useMay('event:publish');
  if (!mayPublish || eventType.builtIn) return null;
  const title = texts.eventTypes.publishNamed(eventType.name);
  return (
    <DialogButton look="quiet" aria-label={title} label={texts.eventTypes.publish} title={title}>
      <PublishSample eventType={eventType} />
    </DialogButton>
  );
}

function PublishSample({ eventType: { name, example } }: EventTypeProps) {
  const client = useClient();
  const [text, setText] = useState(() => JSON.stringify(example, null, 2));
  const sample = readSample(text);
  const { mutate, data, error, isPending } = useRepeatableMutation({
    send: ({ header }, fields: Record<string, unknown>) =>
      client.post('/events', { params: { header }, body: { type: name, data: fields } }),
  });
  return (
    <Form
      className={formStyles.wide ?? ''}
      onSubmit={(event) => {
        event.preventDefault();
        if (sample !== null) mutate(sample);
      }}
    >
      <p>{texts.eventTypes.publishHint}</p>
      <TextField
        label={texts.eventTypes.data}
        error={sample === null ? texts.eventTypes.noObject : undefined}
        rows={10}
        value={text}
        onChange={setText}
      />
      {error !== null && <ErrorPanel error={error} />}
      {data !== undefined && (
        <p role="status">
          {texts.eventTypes.published}{' '}
          <Link to="/deliveries" search={{ eventId: data.eventId }}>
            {texts.eventTypes.itsDeliveries}
          </Link>
        </p>
      )}
      <Button type="submit" look="primary" isDisabled={sample === null || isPending}>
        {texts.eventTypes.publish}
      </Button>
    </Form>
  );
}
