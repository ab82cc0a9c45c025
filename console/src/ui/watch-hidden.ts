/**
 * Reports that the page has been hidden for some time, as behind another tab, and that it is visible again.
 *
 * @returns ends it
 */
export function watchHidden(
  page: Pick<Document, 'visibilityState' | 'addEventListener' | 'removeEventListener'>,
  afterMs: number,
  onChange: (isHidden: boolean) => void,
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const follow = () => {
    clearTimeout(timer);
    if (page.visibilityState === 'visible') onChange(false);
    else timer = setTimeout(() => onChange(true), afterMs);
  };
  follow();
  page.addEventListener('visibilitychange', follow);
  return () => {
    clearTimeout(timer);
    page.removeEventListener('visibilitychange', follow);
  };
}
