import type { components } from '@postrider/client';
import { useEndpointName } from '../endpoint-names/use-endpoint-name.js';
import { texts } from '../texts/en.js';
import { CopyButton } from '../ui/copy-button.js';
import { TextBlock } from '../ui/text-block.js';
import { failureText } from './failure-text.js';
import { tlsCommand } from './tls-command.js';

interface FailureProps {
  readonly attempt: Pick<components['schemas']['DeliveryAttempt'], 'failureReason' | 'httpStatus'>;
  /** Absent while it is loaded. */
  readonly endpointId: string | undefined;
}

/** Why an attempt failed and what to do, with the command that shows the cause where the status cannot. */
export function Failure({ attempt: { failureReason, httpStatus }, endpointId }: FailureProps) {
  if (failureReason === null) return null;
  return (
    <>
      <p>{failureText(failureReason, httpStatus)}</p>
      {failureReason === 'tls' && endpointId !== undefined && <TlsCheck endpointId={endpointId} />}
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
      <p>
        <CopyButton text={command} label={texts.delivery.copyCommand} />
      </p>
    </details>
  );
}
