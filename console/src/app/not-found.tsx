import { Link } from '@tanstack/react-router';
import { texts } from '../texts/en.js';
import { EmptyState } from '../ui/empty-state.js';

export function NotFound() {
  return (
    <EmptyState title={texts.notFound.title}>
      <Link to="/">{texts.notFound.back}</Link>
    </EmptyState>
  );
}
