import type { components } from '@postrider/client';
import { useState } from 'react';
import { texts } from '../texts/en.js';
import { Button } from '../ui/button.js';
import { Dialog } from '../ui/dialog.js';
import { JsonView } from '../ui/json-view.js';

type EventType = components['schemas']['EventTypeInfo'];

/** Opens the schema of an event type and an example. */
export function SchemaButton({ eventType: { name, schema, example } }: { readonly eventType: EventType }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button look="quiet" aria-label={texts.eventTypes.showNamed(name)} onPress={() => setOpen(true)}>
        {texts.eventTypes.show}
      </Button>
      {isOpen && (
        <Dialog title={name} onClose={() => setOpen(false)}>
          <h3>{texts.eventTypes.example}</h3>
          <JsonView value={example} />
          <h3>{texts.eventTypes.schema}</h3>
          <JsonView value={schema} />
        </Dialog>
      )}
    </>
  );
}
