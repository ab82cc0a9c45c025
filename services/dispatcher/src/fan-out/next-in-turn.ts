import type { EventPlace } from './backlogs.js';

/** The event to read again next, in a partition that can be read now. */
export type Next = (isReadable: (partition: number) => boolean) => EventPlace | null;

/** Takes the next events of both in turn, so that those of one do not wait for all of the other. */
export function nextInTurn(one: Next, other: Next): Next {
  let order = [one, other] as const;
  return (isReadable) => {
    for (const next of order) {
      const place = next(isReadable);
      if (place === null) continue;
      order = next === one ? [other, one] : [one, other];
      return place;
    }
    return null;
  };
}
