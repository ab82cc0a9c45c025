/**
 * Loads the document again, if the server responds: without it the browser would replace the console by an error of its own.
 * The sessions of the tab are stored, so that they remain.
 *
 * @returns whether the document is loaded again
 */
export async function reloadIfServed(): Promise<boolean> {
  const isServed = await fetch(document.baseURI, { method: 'HEAD', cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );
  if (isServed) location.reload();
  return isServed;
}
