/** The pages with terminal sessions, in the order in which they are recorded beside one `npm start`. */
export const PAGES = ['README.md', 'docs/cli.md'] as const;
