import type { components } from '@postrider/client';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useList } from '../session/use-list.js';
import { texts } from '../texts/en.js';
import { Badge } from '../ui/badge.js';
import type { Column } from '../ui/data-table.js';
import { EmptyState } from '../ui/empty-state.js';
import { ListTable } from '../ui/list-table.js';
import { Time } from '../ui/time.js';
import { TwoLines } from '../ui/two-lines.js';
import { RevokeLinkButton } from './revoke-link-button.js';

type PortalLink = components['schemas']['PortalLink'];

const { portalLinks } = texts;
const TONES = { active: 'good', expired: 'neutral', revoked: 'neutral' } as const;

const FACTS: readonly Column<PortalLink>[] = [
  {
    title: portalLinks.link,
    cell: ({ id, createdAt }) => <TwoLines first={<code>{id}</code>} second={<Time at={createdAt} />} />,
  },
  {
    title: portalLinks.status,
    cell: ({ status }) => <Badge tone={TONES[status]}>{portalLinks.statuses[status]}</Badge>,
  },
  {
    title: portalLinks.endpoints,
    cell: ({ endpointIds, scopes }) => (
      <TwoLines first={<Endpoints ids={endpointIds} />} second={portalLinks.permissionCount(scopes.length)} />
    ),
  },
  { title: portalLinks.ends, cell: ({ expiresAt }) => <Time at={expiresAt} /> },
];

interface PortalLinkListProps {
  onRevoked(id: string): void;
}

/** The links of the workspace, so that one can be revoked after the page that made it was left. */
export function PortalLinkList({ onRevoked }: PortalLinkListProps) {
  const columns = useMemo<readonly Column<PortalLink>[]>(() => {
    const revoke = (link: PortalLink) => <RevokeLinkButton link={link} onRevoked={onRevoked} />;
    return [...FACTS, { title: texts.actions.column, cell: revoke }];
  }, [onRevoked]);
  const list = useList<PortalLink>({
    key: ['portal-links'],
    fetchPage: (client, query) => client.get('/portal-links', { params: { query } }),
  });
  return (
    <>
      <h2>{portalLinks.listTitle}</h2>
      <ListTable
        label={portalLinks.listTitle}
        columns={columns}
        list={list}
        keyOf={({ id }) => id}
        empty={<EmptyState title={portalLinks.empty} />}
      />
    </>
  );
}

function Endpoints({ ids }: { readonly ids: PortalLink['endpointIds'] }) {
  const [only, ...others] = ids ?? [];
  if (only === undefined) return portalLinks.reaches.all;
  if (others.length > 0) return portalLinks.endpointCount(others.length + 1);
  return (
    <Link to="/endpoints/$endpointId" params={{ endpointId: only }}>
      {portalLinks.endpointCount(1)}
    </Link>
  );
}
