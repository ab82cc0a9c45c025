/** The body of every declaration: the generator reads these classes, and nothing ever calls them. */
export const declared = undefined as never;
