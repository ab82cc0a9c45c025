import { useState } from 'react';
import { texts } from '../texts/en.js';
import { Dialog } from '../ui/dialog.js';
import { DialogOpener } from '../ui/dialog-opener.js';
import { EndpointForm } from './endpoint-form.js';
import { settingsUpdate } from './settings-update.js';
import type { EndpointDialogProps, EndpointProps } from './show-endpoint.js';
import { useSaveEndpoint } from './use-save-endpoint.js';

export function EditEndpointButton({ endpoint }: EndpointProps) {
  return (
    <DialogOpener label={texts.endpoints.edit}>
      {(close) => <EditEndpointDialog endpoint={endpoint} onClose={close} />}
    </DialogOpener>
  );
}

/** Stays open until the answer is known. */
function EditEndpointDialog({ endpoint, onClose }: EndpointDialogProps) {
  // The page reads the endpoint again while the dialog is open.
  const [began] = useState(endpoint);
  const { save, error, isPending } = useSaveEndpoint({ endpoint, onClose });
  return (
    <Dialog title={texts.endpoints.edit} onClose={isPending ? null : onClose}>
      <EndpointForm
        initial={began}
        submitLabel={texts.actions.save}
        error={error}
        isPending={isPending}
        onSubmit={(entered) => save(settingsUpdate(began, entered))}
      />
    </Dialog>
  );
}
