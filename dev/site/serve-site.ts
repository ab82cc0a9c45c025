import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { preview } from 'vite';

export interface ServedSite {
  readonly address: string;
  close(): Promise<void>;
}

/**
 * Serves a folder on this machine only. Files that are written later are served as well.
 * @throws Error when the port is in use
 */
export async function serveSite(folder: string, port: number): Promise<ServedSite> {
  mkdirSync(folder, { recursive: true });
  const server = await preview({
    root: dirname(folder),
    configFile: false,
    appType: 'mpa',
    logLevel: 'error',
    build: { outDir: folder },
    preview: { host: '127.0.0.1', port, strictPort: true },
  });
  return { address: `http://127.0.0.1:${port}/`, close: () => server.close() };
}
