import type * as wire from '../contract/notification.js';
import type { Page, PageRequest } from '../contract/page.js';
import { showNotification } from '../views/notification.js';
import type { Call } from './call.js';
import type { Deps } from './deps.js';
import { pageNewestFirst } from './read-page.js';

export function listNotifications({ notifications }: Pick<Deps, 'notifications'>) {
  return ({ workspace }: Call, request: PageRequest): Promise<Page<wire.Notification>> =>
    pageNewestFirst({
      list: `notifications ${workspace.id}`,
      request,
      read: (slice) => notifications.list(workspace.id, slice),
      show: showNotification,
    });
}
