import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { EVENT_TYPES } from '../../deploy/variants.js';
import { K8S } from '../../deploy/ways.js';

/** What an installation changes in its copy of the production overlay. */
export interface Changes {
  readonly image: { readonly repository: string; readonly tag: string };
  /** All variables of `settings.env`. */
  readonly settings: Readonly<Record<string, string>>;
  readonly components: readonly string[];
  readonly patches: readonly object[];
}

/** A copy of the manifests with the production overlay, for `kubectl … -k`. */
export interface ProductionCopy {
  /** Of the overlay. */
  readonly directory: string;
  /** Writes settings and kustomization; earlier changes are replaced. */
  change(changes: Changes): void;
  remove(): void;
}

const OVERLAY = 'overlays/production';
const CATALOGUE = { name: 'postrider-event-catalogue', files: ['event-types.yaml'] };

export function copyProduction(): ProductionCopy {
  const place = mkdtempSync(join(tmpdir(), 'postrider-kustomize-'));
  cpSync(K8S, place, { recursive: true });
  const directory = join(place, OVERLAY);
  const file = (name: string) => join(directory, name);
  const original = parse(readFileSync(file('kustomization.yaml'), 'utf8'));
  writeFileSync(file('event-types.yaml'), EVENT_TYPES);
  return {
    directory,
    change({ image, settings, components, patches }) {
      const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
      writeFileSync(file('settings.env'), lines.join(''));
      const kustomization = {
        ...original,
        components: components.map((name) => `../../components/${name}`),
        configMapGenerator: [...original.configMapGenerator, CATALOGUE],
        images: [{ name: 'postrider', newName: image.repository, newTag: image.tag }],
        patches,
      };
      writeFileSync(file('kustomization.yaml'), stringify(kustomization));
    },
    remove: () => rmSync(place, { recursive: true, force: true }),
  };
}
