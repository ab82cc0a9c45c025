/** Maximum size of a page's items as JSON, in characters, like that of the payloads of deliveries. */
const MAX_CHARACTERS = 4 * 1_024 * 1_024;

/** How many of the first items fit into a page, but at least one. The others follow on the next page. */
export function countFitting(items: readonly unknown[]): number {
  let characters = 0;
  for (const [index, item] of items.entries()) {
    characters += JSON.stringify(item).length;
    if (characters > MAX_CHARACTERS && index > 0) return index;
  }
  return items.length;
}
