import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { comparable } from './comparable.js';
import type { Manifest } from './render.js';
import { EVENT_TYPES, PRODUCTION } from './variants.js';
import { describeWays, type Ways } from './ways.js';

const CATALOGUE = 'postrider-event-catalogue';

describeWays('the catalogue of a deployment', ({ helm, both }) => {
  both('is applied by the migration in the same way by chart and kustomize', async (ways) => {
    const chart = await ways.chart({ ...PRODUCTION, eventCatalogue: EVENT_TYPES });
    const overlay = await withComponent(ways);
    expect(comparable(chart.filter(isNotCatalogue))).to.deep.equal(
      comparable(overlay.filter(isNotCatalogue)),
    );
    for (const objects of [chart, overlay]) {
      expect(catalogueOf(objects)?.data).to.deep.equal({ 'event-types.yaml': EVENT_TYPES });
      expect(migration(objects)).to.deep.include({
        file: '/etc/postrider/event-catalogue/event-types.yaml',
        mounted: '/etc/postrider/event-catalogue',
        from: catalogueOf(objects)?.metadata.name,
      });
    }
  });

  both('replaces the pods of the api when it changes', async (ways) => {
    const podWith = async (eventCatalogue: string) => {
      const objects = await ways.chart({ ...PRODUCTION, eventCatalogue });
      return objects.filter(({ kind }) => kind === 'Deployment');
    };
    const [before, after] = [await podWith(EVENT_TYPES), await podWith(`${EVENT_TYPES}# changed\n`)];
    const changed = before.filter((one, index) => JSON.stringify(one) !== JSON.stringify(after[index]));
    expect(changed.map(({ metadata }) => metadata.name)).to.deep.equal(['postrider-api']);
    expect(catalogueOf(await withComponent(ways))?.metadata.name).to.match(/-[a-z0-9]{10}$/);
  });

  helm('may be written in the values, and is applied with profile all as well', async (ways) => {
    const eventCatalogue = parse(EVENT_TYPES);
    const objects = await ways.chart({ ...PRODUCTION, profile: 'all', eventCatalogue });
    expect(parse(catalogueOf(objects)?.data?.['event-types.yaml'] ?? '')).to.deep.equal(eventCatalogue);
    expect(migration(objects, 'postrider-all').file).to.equal(
      '/etc/postrider/event-catalogue/event-types.yaml',
    );
  });

  helm('is refused by its name when it is no catalogue or too large', async (ways) => {
    const refused = async (values: object, error: RegExp) =>
      expect(await ways.refusal({ ...PRODUCTION, ...values })).to.match(error);
    await refused({ eventCatalogue: { types: [] } }, /\/eventCatalogue/);
    await refused({ eventCatalogue: '#'.repeat(1_000_001) }, /eventCatalogue is larger than the 1 MB/);
  });
});

/** The production overlay with the component and the file, as its comments describe. */
async function withComponent(ways: Ways): Promise<Manifest[]> {
  writeFileSync(join(ways.place, 'event-types.yaml'), EVENT_TYPES);
  return ways.productionWith(['event-catalogue'], {
    configMaps: [{ name: CATALOGUE, files: ['event-types.yaml'] }],
  });
}

function isNotCatalogue({ metadata }: Manifest): boolean {
  return !metadata.name.startsWith(CATALOGUE);
}

function catalogueOf(
  objects: readonly Manifest[],
): (Manifest & { data?: Record<string, string> }) | undefined {
  return objects.find((one) => one.kind === 'ConfigMap' && !isNotCatalogue(one));
}

/** Where the migration of a deployment finds the file. */
function migration(objects: readonly Manifest[], name = 'postrider-api') {
  const deployment = objects.find((one) => one.kind === 'Deployment' && one.metadata.name === name);
  const pod = (deployment as unknown as Deployment).spec.template.spec;
  const container = pod.initContainers.find((one) => one.name === 'migrate');
  return {
    file: container?.env.find((one) => one.name === 'EVENT_CATALOGUE_FILE')?.value,
    mounted: container?.volumeMounts.find((one) => one.name === 'event-catalogue')?.mountPath,
    from: pod.volumes.find((one) => one.name === 'event-catalogue')?.configMap?.name,
  };
}

interface Deployment {
  readonly spec: {
    readonly template: {
      readonly spec: {
        readonly initContainers: readonly {
          readonly name: string;
          readonly env: readonly { readonly name: string; readonly value?: string }[];
          readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
        }[];
        readonly volumes: readonly {
          readonly name: string;
          readonly configMap?: { readonly name: string };
        }[];
      };
    };
  };
}
