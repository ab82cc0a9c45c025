import { useEffect, useState } from 'react';
import { watchHidden } from './watch-hidden.js';

/** Whether the page has been hidden for this long. */
export function useIsHidden(afterMs: number): boolean {
  const [isHidden, setHidden] = useState(false);
  useEffect(() => watchHidden(document, afterMs, setHidden), [afterMs]);
  return isHidden;
}
