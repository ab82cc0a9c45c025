import type * as wire from '@postrider/shared/contract/member';
import type { Member } from '@postrider/shared/domain/member';

export function showMember({ id, email, role }: Member): wire.Member {
  return { id, email, role };
}
