import { type AsyncRouteComponent, Navigate } from '@tanstack/react-router';
import { useSession } from '../session/session-provider.js';
import { texts } from '../texts/en.js';
import { NotPermitted } from '../ui/not-permitted.js';
import { PageHead } from '../ui/page-head.js';
import { firstPageOf } from './pages.js';

/** The page of the address without a path: the overview, or else the first page that the token may read. */
export function startPage(Overview: AsyncRouteComponent<object>): AsyncRouteComponent<object> {
  function StartPage() {
    const { permissions } = useSession();
    const first = firstPageOf(permissions);
    if (first === '/') return <Overview />;
    if (first !== null) return <Navigate to={first} replace />;
    return (
      <>
        <PageHead title={texts.overview.title} />
        <NotPermitted />
      </>
    );
  }
  return Object.assign(StartPage, { preload: async () => Overview.preload?.() });
}
