import { useEffect } from 'react';
import { addLeaveGuard } from './leave-guards.js';

/** While it is active, leaving the page asks first: the console's links and the back button, a reload, closing the tab. */
export function useLeaveGuard(isActive: boolean): void {
  useEffect(() => (isActive ? addLeaveGuard() : undefined), [isActive]);
}
