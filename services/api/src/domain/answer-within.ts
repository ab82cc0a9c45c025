/** The time limit of a response, in milliseconds, even if the database hangs. */
export const ANSWER_WITHIN_MS = 10_000;
