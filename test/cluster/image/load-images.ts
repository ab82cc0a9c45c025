import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Cluster } from '../cluster.js';
import { buildLayers } from './build-image.js';

/** Images of one repository, made of a built checkout. They differ in their tag and a label. */
export interface Tagged {
  readonly repository: string;
  readonly tags: readonly string[];
  readonly checkout: string;
}

/** Builds images, and makes them available to the nodes. */
export async function loadImages(cluster: Cluster, { repository, tags, checkout }: Tagged): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'postrider-images-'));
  const layers = await buildLayers(checkout, join(directory, 'build.log'));
  try {
    for (const tag of tags) {
      const archive = join(directory, `${tag}.tar`);
      await layers.write(`${repository}:${tag}`, tag, archive);
      await cluster.load(archive);
    }
  } finally {
    layers.remove();
    rmSync(directory, { recursive: true });
  }
}
