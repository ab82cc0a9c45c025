import { useSession } from '../session/session-provider.js';
import { texts } from '../texts/en.js';
import { LinkButton } from '../ui/link-button.js';
import { DeleteEndpointButton } from './delete-endpoint-button.js';
import { EditEndpointButton } from './edit-endpoint-button.js';
import { EnableButton } from './enable-button.js';
import { RotateSecretButton } from './rotate-secret-button.js';
import type { EndpointProps } from './show-endpoint.js';
import { TestEventButton } from './test-event-button.js';

/** What the token may do with an endpoint. */
export function EndpointActions({ endpoint }: EndpointProps) {
  const { permissions } = useSession();
  return (
    <>
      {permissions.has('webhook:test') && (
        <>
          <TestEventButton endpoint={endpoint} />
          <LinkButton to="/endpoints/new" search={{ endpointId: endpoint.id, step: 'check' }}>
            {texts.conformance.start}
          </LinkButton>
        </>
      )}
      {permissions.has('webhook:update') && <EditEndpointButton endpoint={endpoint} />}
      {permissions.has('webhook:update') && endpoint.enabled && <EnableButton endpoint={endpoint} />}
      {permissions.has('webhook:rotate_secret') && <RotateSecretButton endpoint={endpoint} />}
      {permissions.has('webhook:delete') && <DeleteEndpointButton endpoint={endpoint} />}
    </>
  );
}
