import type { components } from '@postrider/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { changeRows } from '../session/first-page.js';
import { useMay } from '../session/session-provider.js';
import { useClient } from '../session/use-client.js';
import { texts } from '../texts/en.js';
import { Button } from '../ui/button.js';
import { DialogButton } from '../ui/dialog-button.js';
import { ErrorPanel } from '../ui/error-panel.js';

type Member = components['schemas']['Member'];

/** Removes a member after a confirmation. */
export function RemoveMemberButton({ member }: { readonly member: Member }) {
  const client = useClient();
  const queries = useQueryClient();
  const mayRemove = useMay('member:remove');
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => client.delete('/members/{memberId}', { params: { path: { memberId: member.id } } }),
    onSuccess: () =>
      void changeRows<Member>(queries, ['members'], (shown) => (shown.id === member.id ? null : shown)),
  });
  if (!mayRemove) return null;
  const title = texts.members.removeNamed(member.email);
  return (
    <DialogButton look="quiet" aria-label={title} label={texts.members.remove} title={title}>
      <p>{texts.members.removeHint}</p>
      {error !== null && <ErrorPanel error={error} />}
      <div>
        <Button look="danger" isDisabled={isPending} onPress={() => mutate()}>
          {texts.members.remove}
        </Button>
      </div>
    </DialogButton>
  );
}
