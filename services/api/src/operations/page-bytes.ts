/** The items of a page have at most so many characters as JSON, as the payloads of deliveries have. */
const MOST_CHARACTERS = 4 * 1_024 * 1_024;

/** How many of the first items fit into a page; one always does. The others follow on the next page. */
export function countFitting(items: readonly unknown[], most = MOST_CHARACTERS): number {
  let characters = 0;
  for (const [index, item] of items.entries()) {
    characters += JSON.stringify(item).length;
    if (characters > most && index > 0) return index;
  }
  return items.length;
}
