import type { components } from '@postrider/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { changeRows } from '../session/first-page.js';
import { useMay } from '../session/session-provider.js';
import { useClient } from '../session/use-client.js';
import { texts } from '../texts/en.js';
import { Button } from '../ui/button.js';
import { Choice } from '../ui/choice.js';
import { DialogButton } from '../ui/dialog-button.js';
import { ErrorPanel } from '../ui/error-panel.js';
import { ROLE_OPTIONS, type Role } from './roles.js';

type Member = components['schemas']['Member'];

interface MemberProps {
  readonly member: Member;
}

export function ChangeRoleButton({ member }: MemberProps) {
  const mayUpdate = useMay('member:update');
  if (!mayUpdate) return null;
  const title = texts.members.changeRoleOf(member.email);
  return (
    <DialogButton look="quiet" aria-label={title} label={texts.members.changeRole} title={title}>
      {(close) => <ChangeRole member={member} onChanged={close} />}
    </DialogButton>
  );
}

function ChangeRole({ member, onChanged }: MemberProps & { onChanged(): void }) {
  const client = useClient();
  const queries = useQueryClient();
  const [role, setRole] = useState<Role>(member.role);
  const { mutate, error, isPending } = useMutation({
    mutationFn: () =>
      client.patch('/members/{memberId}', { params: { path: { memberId: member.id } }, body: { role } }),
    onSuccess: () => {
      onChanged();
      void changeRows<Member>(queries, ['members'], (shown) =>
        shown.id === member.id ? { ...shown, role } : shown,
      );
    },
  });
  return (
    <>
      <Choice label={texts.members.role} value={role} options={ROLE_OPTIONS} onChange={setRole} />
      {error !== null && <ErrorPanel error={error} />}
      <div>
        <Button look="primary" isDisabled={isPending} onPress={() => mutate()}>
          {texts.actions.save}
        </Button>
      </div>
    </>
  );
}
