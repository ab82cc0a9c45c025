import { texts } from '../texts/en.js';
import { EmptyState } from './empty-state.js';

/** Takes the place of a form that the token may not send; its page is not offered, but it has an address. */
export function NotPermitted() {
  return <EmptyState title={texts.notPermitted} />;
}
