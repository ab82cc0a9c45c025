import { useState } from 'react';
import { useMay } from '../session/session-provider.js';
import { texts } from '../texts/en.js';
import { Dialog } from '../ui/dialog.js';
import { DialogOpener } from '../ui/dialog-opener.js';
import { Facts } from '../ui/facts.js';
import { JsonView } from '../ui/json-view.js';
import { Panel } from '../ui/panel.js';
import { updateOf } from './options-draft.js';
import { OptionsForm } from './options-form.js';
import type { EndpointDialogProps, EndpointProps } from './show-endpoint.js';
import { useSaveEndpoint } from './use-save-endpoint.js';

/** How deliveries to an endpoint are filtered, limited, signed and labelled. */
export function OptionsPanel({ endpoint }: EndpointProps) {
  const mayUpdate = useMay('webhook:update');
  const { headerNames, metadata, ratePerSecond, filter, signing, publicKey } = endpoint;
  const pairs = Object.entries(metadata).map(([name, value]) => `${name}: ${value}`);
  return (
    <Panel title={texts.options.title} actions={mayUpdate && <EditOptionsButton endpoint={endpoint} />}>
      <Facts
        items={[
          [
            texts.options.filter,
            filter === null ? texts.options.noFilter : <JsonView key="filter" value={filter} />,
          ],
          [texts.options.headers, headerNames.length === 0 ? texts.options.none : headerNames.join(', ')],
          [
            texts.options.rate,
            ratePerSecond === null ? texts.options.noLimit : texts.options.perSecond(ratePerSecond),
          ],
          [texts.options.signing, texts.options.signings[signing]],
          ...(publicKey === null
            ? []
            : [[texts.options.publicKey, <code key="key">{publicKey}</code>] as const]),
          [texts.options.metadata, pairs.length === 0 ? texts.options.none : pairs.join(', ')],
        ]}
      />
    </Panel>
  );
}

function EditOptionsButton({ endpoint }: EndpointProps) {
  return (
    <DialogOpener label={texts.options.edit}>
      {(close) => <EditOptionsDialog endpoint={endpoint} onClose={close} />}
    </DialogOpener>
  );
}

/** Stays open until the answer is known. */
function EditOptionsDialog({ endpoint, onClose }: EndpointDialogProps) {
  // The page reads the endpoint again while the dialog is open.
  const [began] = useState(endpoint);
  const { save, error, isPending } = useSaveEndpoint({ endpoint, onClose });
  return (
    <Dialog title={texts.options.title} onClose={isPending ? null : onClose}>
      <OptionsForm
        endpoint={began}
        error={error}
        isPending={isPending}
        onSubmit={(draft) => save(updateOf(draft, began))}
      />
    </Dialog>
  );
}
