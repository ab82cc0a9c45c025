import type * as wire from '@postrider/shared/contract/notification';
import type { Page, PageRequest } from '@postrider/shared/contract/page';
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
