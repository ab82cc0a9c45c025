import { type components, PostriderError } from '@postrider/client';
import { useQuery } from '@tanstack/react-query';
import { useClient } from '../session/use-client.js';
import { texts } from '../texts/en.js';
import { CopyButton } from '../ui/copy-button.js';
import { ErrorPanel } from '../ui/error-panel.js';
import { Loading } from '../ui/loading.js';
import { TextBlock } from '../ui/text-block.js';
import { curlCommand, hiddenHeaders } from './curl.js';

interface SentRequestProps {
  readonly attempt: components['schemas']['DeliveryAttempt'];
  readonly delivery: components['schemas']['Delivery'];
}

/** The headers as they were recorded, signature included, and the request as a command. */
export function SentRequest({ attempt: { requestHeaders }, delivery }: SentRequestProps) {
  if (requestHeaders === null) return <p>{texts.delivery.nothingSent}</p>;
  return (
    <>
      <TextBlock>
        {Object.entries(requestHeaders)
          .map(([name, value]) => `${name}: ${value}`)
          .join('\n')}
      </TextBlock>
      <CurlCommand headers={requestHeaders} delivery={delivery} />
    </>
  );
}

/** Has no address, so that the command sends nothing to anyone until it is edited. */
const DELETED_URL = 'https://deleted-endpoint.invalid/';

interface CurlCommandProps extends Pick<SentRequestProps, 'delivery'> {
  readonly headers: NonNullable<SentRequestProps['attempt']['requestHeaders']>;
}

/** Copies the request as a command for the present URL of the endpoint. */
function CurlCommand({ headers, delivery }: CurlCommandProps) {
  const { endpointId, deliveryId, eventType, payload } = delivery;
  const client = useClient();
  const { data, error, refetch } = useQuery({
    // Not that of the endpoint's page, which has more.
    queryKey: ['endpoint', endpointId, 'settings'],
    queryFn: () => client.get('/webhooks/{endpointId}', { params: { path: { endpointId } } }),
  });
  const isDeleted = error instanceof PostriderError && error.is('EndpointNotFound');
  const url = isDeleted ? DELETED_URL : data?.url;
  if (url === undefined)
    return error === null ? <Loading /> : <ErrorPanel error={error} onRetry={() => void refetch()} />;
  const command = curlCommand({ url, headers, body: JSON.stringify({ deliveryId, eventType, payload }) });
  const hidden = hiddenHeaders(headers);
  return (
    <p>
      <CopyButton text={command} label={texts.delivery.copyCurl} />{' '}
      {hidden.length > 0 && texts.delivery.curlWithout(hidden)} {isDeleted && texts.delivery.curlOfDeleted}
    </p>
  );
}
