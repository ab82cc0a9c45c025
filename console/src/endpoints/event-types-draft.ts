/** The event types of a form. */
export interface EventTypesDraft {
  readonly isAll: boolean;
  /** Kept while all are chosen, as is the text. */
  readonly chosen: readonly string[];
  /** The text of a prefix that has not been added yet. */
  readonly entered: string;
}

/** All event types, including future ones. */
export const ALL = '*';

export function typesDraftOf(eventTypes: readonly string[]): EventTypesDraft {
  const chosen = eventTypes.filter((name) => name !== ALL);
  return { isAll: chosen.length < eventTypes.length, chosen, entered: '' };
}

/** What the form means: also the prefix that was entered. */
export function eventTypesOf({ isAll, chosen, entered }: EventTypesDraft): readonly string[] {
  if (isAll) return [ALL];
  const prefix = entered.trim();
  return prefix === '' ? chosen : [...new Set([...chosen, prefix])];
}
