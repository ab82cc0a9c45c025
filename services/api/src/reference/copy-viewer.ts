import { copyFile, mkdir } from 'node:fs/promises';
import { LICENCE_FILE, VIEWER_DIRECTORY, VIEWER_FILE } from './viewer-files.js';

/** Run in the build, from the service's directory: the package is large, and only one built file of it is served. */
const main = import.meta.resolve('@scalar/api-reference');
await mkdir(VIEWER_DIRECTORY, { recursive: true });
await copyFile(new URL('./browser/standalone.js', main), VIEWER_FILE);
await copyFile('src/reference/viewer-licence.txt', LICENCE_FILE);
