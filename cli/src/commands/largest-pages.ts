/** The maximum of the api. */
export const LARGEST_PAGE = 200;

/** Reads a whole list in as few requests as possible. */
export const LARGEST_PAGES = { params: { query: { limit: LARGEST_PAGE } } } as const;
