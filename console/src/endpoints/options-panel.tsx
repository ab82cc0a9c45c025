import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useMay } from '../session/session-provider.js';
import { useClient } from '../session/use-client.js';
import { texts } from '../texts/en.js';
import { Button } from '../ui/button.js';
import { Dialog } from '../ui/dialog.js';
import { Facts } from '../ui/facts.js';
import { JsonView } from '../ui/json-view.js';
import { Panel } from '../ui/panel.js';
import { type OptionsDraft, updateOf } from './options-draft.js';
import { OptionsForm } from './options-form.js';
import { type EndpointProps, useShowEndpoint } from './show-endpoint.js';

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
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onPress={() => setOpen(true)}>{texts.options.edit}</Button>
      {isOpen && <EditOptionsDialog endpoint={endpoint} onClose={() => setOpen(false)} />}
    </>
  );
}

interface EditOptionsDialogProps extends EndpointProps {
  onClose(): void;
}

/** Stays open until the answer is known. */
function EditOptionsDialog({ endpoint, onClose }: EditOptionsDialogProps) {
  const client = useClient();
  const show = useShowEndpoint();
  const { mutate, error, isPending } = useMutation({
    mutationFn: (draft: OptionsDraft) =>
      client.patch('/webhooks/{endpointId}', {
        params: { path: { endpointId: endpoint.id } },
        body: updateOf(draft),
      }),
    onSuccess: (changed) => {
      show(changed);
      onClose();
    },
  });
  return (
    <Dialog title={texts.options.title} onClose={isPending ? null : onClose}>
      <OptionsForm endpoint={endpoint} error={error} isPending={isPending} onSubmit={mutate} />
    </Dialog>
  );
}
