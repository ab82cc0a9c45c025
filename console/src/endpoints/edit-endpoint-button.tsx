import { texts } from '../texts/en.js';
import { Dialog } from '../ui/dialog.js';
import { DialogOpener } from '../ui/dialog-opener.js';
import { EndpointForm, type EndpointSettings } from './endpoint-form.js';
import type { EndpointDialogProps, EndpointProps } from './show-endpoint.js';
import { useChangeEndpoint } from './use-change-endpoint.js';

export function EditEndpointButton({ endpoint }: EndpointProps) {
  return (
    <DialogOpener label={texts.endpoints.edit}>
      {(close) => <EditEndpointDialog endpoint={endpoint} onClose={close} />}
    </DialogOpener>
  );
}

/** Stays open until the answer is known. */
function EditEndpointDialog({ endpoint, onClose }: EndpointDialogProps) {
  const { mutate, error, isPending } = useChangeEndpoint(endpoint.id);
  const save = ({ eventTypes, ...settings }: EndpointSettings) =>
    mutate({ ...settings, eventTypes: [...eventTypes] }, { onSuccess: onClose });
  return (
    <Dialog title={texts.endpoints.edit} onClose={isPending ? null : onClose}>
      <EndpointForm
        initial={endpoint}
        submitLabel={texts.actions.save}
        error={error}
        isPending={isPending}
        onSubmit={save}
      />
    </Dialog>
  );
}
