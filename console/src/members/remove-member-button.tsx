import type { components } from '@postrider/client';
import { useQueryClient } from '@tanstack/react-query';
import { changeRows } from '../session/first-page.js';
import { useMay } from '../session/session-provider.js';
import { useClient } from '../session/use-client.js';
import { texts } from '../texts/en.js';
import { Confirmation } from '../ui/confirmation.js';
import { DialogButton } from '../ui/dialog-button.js';

type Member = components['schemas']['Member'];

/** Removes a member after a confirmation. */
export function RemoveMemberButton({ member }: { readonly member: Member }) {
  const client = useClient();
  const queries = useQueryClient();
  const mayRemove = useMay('member:remove');
  if (!mayRemove) return null;
  const remove = () => client.delete('/members/{memberId}', { params: { path: { memberId: member.id } } });
  const hide = () =>
    void changeRows<Member>(queries, ['members'], (shown) => (shown.id === member.id ? null : shown));
  const title = texts.members.removeNamed(member.email);
  return (
    <DialogButton look="quiet" aria-label={title} label={texts.members.remove} title={title}>
      <Confirmation
        hint={texts.members.removeHint}
        label={texts.members.remove}
        send={remove}
        onSuccess={hide}
      />
    </DialogButton>
  );
}
