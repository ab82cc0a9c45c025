import { createClient } from '@postrider/client';
import { useParams } from '@tanstack/react-router';
import { API_BASE } from '../session/api-base.js';
import { useRepeatableMutation } from '../session/use-repeatable.js';
import { texts } from '../texts/en.js';
import { Button } from '../ui/button.js';
import { EmptyState } from '../ui/empty-state.js';
import { ErrorPanel } from '../ui/error-panel.js';
import { NarrowPage } from '../ui/narrow-page.js';
import { PageHead } from '../ui/page-head.js';
import type { InvitationAddress } from './invitation-link.js';

const { acceptance } = texts;

/** Accepts an invitation. It needs no session: the token in the address is the credential. */
export function InvitationPage() {
  const invitation = useParams({ from: '/invitations/$slug/$invitationId/$acceptToken' });
  // The link of another invitation may be opened in the loaded page.
  return <Acceptance key={invitation.invitationId} invitation={invitation} />;
}

function Acceptance({ invitation }: { readonly invitation: InvitationAddress }) {
  const { mutate, data, error, isPending } = useRepeatableMutation({
    send: ({ header }, { slug, invitationId, acceptToken }: InvitationAddress) =>
      createClient({ baseUrl: API_BASE, workspace: slug }).post('/invitations/{invitationId}/accept', {
        params: { path: { invitationId }, header },
        body: { acceptToken },
      }),
  });
  return (
    <NarrowPage>
      <PageHead
        title={acceptance.title}
        subtitle={data === undefined ? acceptance.subtitle(invitation.slug) : undefined}
      />
      {data === undefined ? (
        <>
          {error !== null && <ErrorPanel error={error} />}
          <div>
            <Button look="primary" isDisabled={isPending} onPress={() => mutate(invitation)}>
              {acceptance.accept}
            </Button>
          </div>
        </>
      ) : (
        <EmptyState title={acceptance.accepted(data.email, texts.members.roles[data.role])}>
          <p>{acceptance.next}</p>
        </EmptyState>
      )}
    </NarrowPage>
  );
}
