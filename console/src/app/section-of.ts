import { NAVIGATION } from './pages.js';

const SECTIONS = NAVIGATION.flatMap(({ pages }) => pages.map(({ to }) => to));

/** The page of the navigation to which an address belongs; null for one of no workspace, such as that of an invitation. */
export function sectionOf(pathname: string) {
  const start = `/${pathname.split('/')[1] ?? ''}`;
  return SECTIONS.find((to) => to === start) ?? null;
}
