/** The script of a page did not arrive: there is no network, or an upgrade has replaced it. */
export class PageNotLoaded extends Error {}
