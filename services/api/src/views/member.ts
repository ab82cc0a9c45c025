import type { Member } from '@postrider/shared/domain/member';
import type * as wire from '../contract/member.js';

export function showMember({ id, email, role }: Member): wire.Member {
  return { id, email, role };
}
