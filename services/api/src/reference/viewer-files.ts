/** Beside what was built: the viewer's script and its licence, put there by the build. */
export const VIEWER_DIRECTORY = new URL('./viewer/', import.meta.url);
export const VIEWER_FILE = new URL('viewer.js', VIEWER_DIRECTORY);
export const LICENCE_FILE = new URL('licence.txt', VIEWER_DIRECTORY);
