import { useRouterState } from '@tanstack/react-router';
import type { Virtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect } from 'react';

/** The first row in view when a table was left, by entry of the browser's history and table. */
const places = new Map<string, number>();

/** Shows the row where the table was left, when the browser returns to an entry of its history. */
export function usePlace(virtualizer: Virtualizer<HTMLElement, Element>, label: string): void {
  const entry = useRouterState({ select: ({ location }) => location.state.__TSR_key ?? location.href });
  const key = `${entry} ${label}`;
  useLayoutEffect(() => {
    const place = places.get(key);
    if (place !== undefined) virtualizer.scrollToIndex(place, { align: 'start' });
    return () => {
      const { range } = virtualizer;
      if (range !== null) places.set(key, range.startIndex);
    };
  }, [key, virtualizer]);
}
