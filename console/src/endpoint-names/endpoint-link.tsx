import { Link } from '@tanstack/react-router';
import { CutMiddle } from '../ui/cut-middle.js';
import { TwoLines } from '../ui/two-lines.js';
import { useEndpointName } from './use-endpoint-name.js';

interface EndpointLinkProps {
  readonly endpointId: string;
}

/** An endpoint by its URL, or by its id while the URL is not known. */
export function EndpointLink({ endpointId }: EndpointLinkProps) {
  const endpoint = useEndpointName(endpointId);
  if (!endpoint)
    return (
      <Link to="/endpoints/$endpointId" params={{ endpointId }}>
        <code>{endpointId}</code>
      </Link>
    );
  const { url, description } = endpoint;
  return (
    <Link
      to="/endpoints/$endpointId"
      params={{ endpointId }}
      aria-label={url}
      title={[url, description, endpointId].filter(Boolean).join('\n')}
    >
      <CutMiddle text={url} />
    </Link>
  );
}

/** The same with the id below the URL. */
export function EndpointCell({ endpointId }: EndpointLinkProps) {
  const isNamed = Boolean(useEndpointName(endpointId));
  return (
    <TwoLines
      first={<EndpointLink endpointId={endpointId} />}
      second={isNamed ? <code>{endpointId}</code> : null}
    />
  );
}
