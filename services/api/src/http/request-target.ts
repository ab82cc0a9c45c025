/**
 * The path and query of a request target. An absolute URL has its own; a target without a path stands for the root, because the
 * router would answer it without a problem and a trace id.
 */
export function pathOfTarget(target: string): string {
  if (target.startsWith('/') || target === '*') return target;
  if (!URL.canParse(target)) return '/';
  const { pathname, search } = new URL(target);
  return pathname.startsWith('/') ? `${pathname}${search}` : '/';
}
