/** Younger work is in progress, not overdue. */
export const IN_PROGRESS_MS = 2_000;

/** The filter of deliveries that have waited longer for their attempt. */
export const overdue = (byMs = IN_PROGRESS_MS) => ({ dueAt: { $lt: new Date(Date.now() - byMs) } });
