import type { components } from '@postrider/client';
import { useEndpointName } from '../endpoint-names/use-endpoint-name.js';
import { texts } from '../texts/en.js';
import { CopyButton } from '../ui/copy-button.js';
import { TextBlock } from '../ui/text-block.js';
import { reasonText } from './failure-text.js';
import { tlsCommand } from './tls-command.js';

interface FailureProps {
  readonly delivery: Pick<components['schemas']['Delivery'], 'failureReason' | 'lastAttempt' | 'endpointId'>;
}

/** Why a delivery failed and what to do, with the command that shows the cause where the reason has several. */
export function Failure({ delivery }: FailureProps) {
  return (
    <>
      {reasonText(delivery)}
      {delivery.lastAttempt?.failureReason === 'tls' && <TlsCheck endpointId={delivery.endpointId} />}
    </>
  );
}

function TlsCheck({ endpointId }: { readonly endpointId: string }) {
  const endpoint = useEndpointName(endpointId);
  if (!endpoint) return null;
  const command = tlsCommand(endpoint.url);
  return (
    <details>
      <summary>{texts.delivery.checkTls}</summary>
      <TextBlock>{command}</TextBlock>
      <CopyButton text={command} label={texts.delivery.copyCommand} />
    </details>
  );
}
