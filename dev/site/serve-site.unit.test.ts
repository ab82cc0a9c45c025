import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import getPort from 'get-port';
import { type ServedSite, serveSite } from './serve-site.js';

describe('server of the documentation', () => {
  let folder: string;
  let site: ServedSite;
  let port: number;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'site-'));
    port = await getPort({ host: '127.0.0.1' });
    site = await serveSite(join(folder, 'html'), port);
  });
  after(async () => {
    await site.close();
    rmSync(folder, { recursive: true });
  });

  it('serves files that are written after its start', async () => {
    writeFileSync(join(folder, 'html', 'late.html'), 'late');
    expect(await (await fetch(`${site.address}late.html`)).text()).to.equal('late');
  });

  it('answers 404 for pages that do not exist', async () => {
    expect((await fetch(`${site.address}missing.html`)).status).to.equal(404);
  });

  it('names the port when it is taken', async () => {
    const refused = await serveSite(join(folder, 'html'), port).catch((error: Error) => error.message);
    expect(refused).to.equal(`Port ${port} is already in use`);
  });
});
