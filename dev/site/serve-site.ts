import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { preview } from 'vite';

/**
 * Serves a folder on this machine alone, until the process ends. Files that are written later are served as well.
 * @returns the address
 * @throws Error when the port is taken
 */
export async function serveSite(folder: string, port: number): Promise<string> {
  mkdirSync(folder, { recursive: true });
  const server = await preview({
    root: dirname(folder),
    configFile: false,
    appType: 'mpa',
    logLevel: 'error',
    build: { outDir: folder },
    preview: { host: '127.0.0.1', port, strictPort: true },
  });
  return `http://127.0.0.1:${port}${server.config.base}`;
}
