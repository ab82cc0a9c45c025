import type { components } from '@postrider/client';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { refreshFirstPages } from '../session/first-page.js';
import { useSession } from '../session/session-provider.js';
import { useClient } from '../session/use-client.js';
import { useRepeatableMutation } from '../session/use-repeatable.js';
import { texts } from '../texts/en.js';
import { ErrorPanel } from '../ui/error-panel.js';
import { NotPermitted } from '../ui/not-permitted.js';
import { PageHead } from '../ui/page-head.js';
import { Panel } from '../ui/panel.js';
import { useLeaveGuard } from '../ui/use-leave-guard.js';
import { CreatedLink } from './created-link.js';
import { type LinkDraft, linkOf, newLinkDraft } from './link-draft.js';
import { PortalLinkForm } from './portal-link-form.js';
import { PortalLinkList } from './portal-link-list.js';

type PortalLink = components['schemas']['CreatedPortalLink'];

/** Makes links for customers, and lists them. The address of a link is shown once. */
export function PortalLinksPage() {
  const client = useClient();
  const queries = useQueryClient();
  const { permissions } = useSession();
  const [draft, setDraft] = useState(newLinkDraft);
  const [links, setLinks] = useState<readonly PortalLink[]>([]);
  const { mutate, error, isPending } = useRepeatableMutation({
    send: ({ header }, described: LinkDraft) =>
      client.post('/portal-links', { params: { header }, body: linkOf(described, permissions) }),
    onSuccess: (link) => {
      setLinks((made) => [link, ...made]);
      void refreshFirstPages(queries, ['portal-links']);
    },
  });
  useLeaveGuard(isPending);
  const forget = useCallback(
    (revoked: string) => setLinks((made) => made.filter(({ id }) => id !== revoked)),
    [],
  );
  return (
    <>
      <PageHead title={texts.portalLinks.title} subtitle={texts.portalLinks.subtitle} />
      {links.map((link) => (
        <CreatedLink key={link.id} link={link} onRevoked={forget} />
      ))}
      <Panel title={texts.portalLinks.create}>
        {permissions.has('portal_link:create') ? (
          <PortalLinkForm
            draft={draft}
            isPending={isPending}
            onChange={(changes) => setDraft({ ...draft, ...changes })}
            onSubmit={() => mutate(draft)}
          />
        ) : (
          <NotPermitted />
        )}
        {error !== null && <ErrorPanel error={error} />}
      </Panel>
      {permissions.has('portal_link:create') && <PortalLinkList onRevoked={forget} />}
    </>
  );
}
