import { copyFile, mkdir } from 'node:fs/promises';
import { LICENCE_FILE, VIEWER_DIRECTORY, VIEWER_FILE } from './viewer.js';

/** A build step, run from the service's directory. Copies the only file that is served from a large package. */
const main = import.meta.resolve('@scalar/api-reference');
await mkdir(VIEWER_DIRECTORY, { recursive: true });
await copyFile(new URL('./browser/standalone.js', main), VIEWER_FILE);
await copyFile('src/reference/viewer-licence.txt', LICENCE_FILE);
