/** The URL of the api, which serves the console one level below itself. */
export const API_BASE = new URL('..', document.baseURI).href.replace(/\/$/, '');
