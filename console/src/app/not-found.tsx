import { Link } from '@tanstack/react-router';
import { texts } from '../texts/en.js';
import { PageHead } from '../ui/page-head.js';

export function NotFound() {
  return (
    <>
      <PageHead title={texts.notFound.title} />
      <p>
        <Link to="/">{texts.notFound.back}</Link>
      </p>
    </>
  );
}
