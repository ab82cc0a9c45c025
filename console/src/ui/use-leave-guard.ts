import { useBlocker } from '@tanstack/react-router';
import { texts } from '../texts/en.js';

/** While it is active, leaving the page asks first: the console's links and the back button, a reload, closing the tab. */
export function useLeaveGuard(isActive: boolean): void {
  useBlocker({
    shouldBlockFn: ({ current, next }) =>
      current.pathname !== next.pathname && !window.confirm(texts.leaving.confirm),
    enableBeforeUnload: isActive,
    disabled: !isActive,
  });
}
