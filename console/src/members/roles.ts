import type { components } from '@postrider/client';
import { texts } from '../texts/en.js';

export const ROLES = [
  'viewer',
  'member',
  'admin',
  'owner',
] as const satisfies readonly components['schemas']['Role'][];
export type Role = (typeof ROLES)[number];

export const ROLE_OPTIONS = ROLES.map((value) => ({ value, label: texts.members.roles[value] }));
