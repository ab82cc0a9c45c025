import type { components } from '@postrider/client';
import { useQuery } from '@tanstack/react-query';
import { useClient } from '../session/use-client.js';
import { texts } from '../texts/en.js';
import { CopyButton } from '../ui/copy-button.js';
import { TextBlock } from '../ui/text-block.js';
import { curlCommand, hiddenHeaders } from './curl.js';

interface SentRequestProps {
  readonly attempt: components['schemas']['DeliveryAttempt'];
  readonly delivery: components['schemas']['Delivery'];
}

/** The headers as they were recorded, signature included, and the request as a command. */
export function SentRequest({ attempt: { requestHeaders }, delivery }: SentRequestProps) {
  const { endpointId, deliveryId, eventType, payload } = delivery;
  const client = useClient();
  /** A deleted endpoint has no URL any more; then the command has a placeholder. */
  const { data, isPending } = useQuery({
    // Not that of the endpoint's page, which has more.
    queryKey: ['endpoint', endpointId, 'settings'],
    queryFn: () => client.get('/webhooks/{endpointId}', { params: { path: { endpointId } } }),
    retry: false,
  });
  if (requestHeaders === null) return <p>{texts.delivery.nothingSent}</p>;
  const command = curlCommand({
    url: data?.url ?? 'https://example.com/webhooks',
    headers: requestHeaders,
    body: JSON.stringify({ deliveryId, eventType, payload }),
  });
  const hidden = hiddenHeaders(requestHeaders);
  return (
    <>
      <TextBlock>
        {Object.entries(requestHeaders)
          .map(([name, value]) => `${name}: ${value}`)
          .join('\n')}
      </TextBlock>
      {!isPending && (
        <p>
          <CopyButton text={command} label={texts.delivery.copyCurl} />{' '}
          {hidden.length > 0 && texts.delivery.curlWithout(hidden)}
        </p>
      )}
    </>
  );
}
