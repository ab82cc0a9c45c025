/** A page could not be rendered; `cause` is why. A TypeError of a page must not be taken for one of `fetch`. */
export class PageFailed extends Error {}
