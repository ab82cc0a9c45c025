/** The event types of a form. */
export interface EventTypesDraft {
  readonly chosen: readonly string[];
  /** The text of a prefix that has not been added yet. */
  readonly entered: string;
}

/** All event types, including future ones. */
export const ALL = '*';

/** What the form means: also the prefix that was entered. */
export function eventTypesOf({ chosen, entered }: EventTypesDraft): readonly string[] {
  const prefix = entered.trim();
  return prefix === '' ? chosen : [...new Set([...chosen, prefix])];
}
