/** The body of every declaration: the generator reads these classes, and they are never called. */
export const declared = undefined as never;
