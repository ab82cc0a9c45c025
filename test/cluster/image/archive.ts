import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sha256 } from '#dev/stack/native/checksum';
import { run } from '../own/run.js';

/** The image of the first container of each pod. */
export const PAUSE_IMAGE = 'postrider.test/pause:1';

/** What an image is made of. */
export interface Image {
  readonly name: string;
  /** Directories whose content becomes one layer each, the lowest first. */
  readonly layers: readonly string[];
  /** As in the image's configuration: `Entrypoint`, `Env`, `User`, `Labels`, … */
  readonly config: Readonly<Record<string, unknown>>;
}

/** Equal content has an equal digest. */
const REPRODUCIBLE = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', '--mtime=@0'];

/** Writes an archive that `docker load` and `ctr images import` read. */
export async function writeArchive({ name, layers, config }: Image, file: string): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'postrider-image-'));
  try {
    const diffIds: string[] = [];
    const names: string[] = [];
    for (const [index, layer] of layers.entries()) {
      const tar = join(directory, `layer-${index}.tar`);
      await run('tar', [...REPRODUCIBLE, '-C', layer, '-cf', tar, '.']);
      diffIds.push(`sha256:${await sha256(tar)}`);
      names.push(`layer-${index}.tar`);
    }
    const description = {
      architecture: 'amd64',
      os: 'linux',
      config,
      rootfs: { type: 'layers', diff_ids: diffIds },
    };
    const manifest = [{ Config: 'config.json', RepoTags: [name], Layers: names }];
    writeFileSync(join(directory, 'config.json'), JSON.stringify(description));
    writeFileSync(join(directory, 'manifest.json'), JSON.stringify(manifest));
    await run('tar', [...REPRODUCIBLE, '-C', directory, '-cf', file, '.']);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

export async function writePauseImage(program: string, file: string): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'postrider-pause-'));
  try {
    cpSync(program, join(root, 'pause'));
    const config = { Entrypoint: ['/pause'], User: '65535:65535' };
    await writeArchive({ name: PAUSE_IMAGE, layers: [root], config }, file);
  } finally {
    rmSync(root, { recursive: true });
  }
}
