import type { components } from '@postrider/client';
import { texts } from '../texts/en.js';
import { DialogButton } from '../ui/dialog-button.js';
import { JsonView } from '../ui/json-view.js';

type EventType = components['schemas']['EventTypeInfo'];

/** Opens the schema of an event type and an example. */
export function SchemaButton({ eventType: { name, schema, example } }: { readonly eventType: EventType }) {
  return (
    <DialogButton
      look="quiet"
      aria-label={texts.eventTypes.showNamed(name)}
      label={texts.eventTypes.show}
      title={name}
    >
      <h3>{texts.eventTypes.example}</h3>
      <JsonView value={example} />
      <h3>{texts.eventTypes.schema}</h3>
      <JsonView value={schema} />
    </DialogButton>
  );
}
