import { getSession } from '@postrider/client';
import { API_BASE } from './api-base.js';
import type { Session } from './session.js';

/** @throws PostriderError `Unauthorized` when the token is unknown, expired or revoked */
export async function openSession({ token, source }: Pick<Session, 'token' | 'source'>): Promise<Session> {
  const { permissions, workspace, expiresAt } = await getSession({ baseUrl: API_BASE, token });
  return { token, source, workspace, expiresAt, permissions: new Set(permissions) };
}
