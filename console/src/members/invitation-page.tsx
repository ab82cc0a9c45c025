import { createClient } from '@postrider/client';
import { useMutation } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { API_BASE } from '../session/api-base.js';
import { texts } from '../texts/en.js';
import { Button } from '../ui/button.js';
import { EmptyState } from '../ui/empty-state.js';
import { ErrorPanel } from '../ui/error-panel.js';
import { NarrowPage } from '../ui/narrow-page.js';
import { PageHead } from '../ui/page-head.js';

const { acceptance } = texts;

/** Accepts an invitation. It needs no session: the token in the address is the credential. */
export function InvitationPage() {
  const { slug, invitationId, acceptToken } = useParams({
    from: '/invitations/$slug/$invitationId/$acceptToken',
  });
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: () =>
      createClient({ baseUrl: API_BASE, workspace: slug }).post('/invitations/{invitationId}/accept', {
        params: { path: { invitationId } },
        body: { acceptToken },
      }),
  });
  return (
    <NarrowPage>
      <PageHead
        title={acceptance.title}
        subtitle={data === undefined ? acceptance.subtitle(slug) : undefined}
      />
      {data === undefined ? (
        <>
          {error !== null && <ErrorPanel error={error} />}
          <div>
            <Button look="primary" isDisabled={isPending} onPress={() => mutate()}>
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
