import type { EventTypeInfo } from '../contract/event.js';
import type { Page, PageRequest } from '../contract/page.js';
import { Refusal } from '../domain/refusal.js';
import { eventTypes } from '../views/event-type.js';
import type { Call } from './call.js';
import type { Deps } from './deps.js';
import { pageById } from './read-page.js';

/** Lists the event types by name. */
export function listEventTypes({ catalogue }: Pick<Deps, 'catalogue'>) {
  return (_: Call, request: PageRequest): Promise<Page<EventTypeInfo>> =>
    pageById({
      list: 'event-types',
      request,
      read: async ({ after, limit }) =>
        eventTypes(catalogue.current())
          .filter(({ name }) => after === null || name > after)
          .slice(0, limit)
          .map((type) => ({ id: type.name, type })),
      show: ({ type }) => type,
    });
}

export function getEventType({ catalogue }: Pick<Deps, 'catalogue'>) {
  return async (_: Call, { name }: { name: string }): Promise<EventTypeInfo> => {
    const type = eventTypes(catalogue.current()).find((one) => one.name === name);
    if (type === undefined)
      throw new Refusal('EventTypeNotFound', 'There is no such event type in the catalogue.');
    return type;
  };
}
