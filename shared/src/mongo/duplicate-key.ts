/** The server's code for a document whose identifier, or other unique key, is stored already. */
export const DUPLICATE_KEY = 11_000;
