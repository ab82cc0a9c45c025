import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { parse } from 'yaml';
import { ROOT } from '#dev/start/paths';
import { type Manifest, parseManifests } from './render.js';
import { ONE_PROCESS, PRODUCTION } from './variants.js';
import { describeWays } from './ways.js';

const GUIDE = readFileSync(join(ROOT, 'docs/operating.md'), 'utf8');
const [, VALUES = ''] = /```yaml\n([\s\S]*?)```/.exec(GUIDE) ?? [];
const [, PUSHED] = /^docker push (\S+)$/m.exec(GUIDE) ?? [];
const COMMANDS = Array.from(GUIDE.matchAll(/```sh\n([\s\S]*?)```/g), ([, block]) => block).join('\n');

describeWays('the commands of the operating guide', ({ helm, kubectl, both }) => {
  for (const profile of [undefined, 'production', 'small'] as const) {
    helm(
      `install with its values and ${profile ?? 'no'} profile, and with the image that it pushes`,
      async (ways) => {
        const objects = await ways.chart(parse(VALUES), profile);
        expect(objects.find(({ kind }) => kind === 'ConfigMap')?.data).to.include({
          KAFKA_BROKERS: 'kafka-0:9092,kafka-1:9092,kafka-2:9092',
          TRUST_PROXY: '1',
          CONSOLE_URL: 'https://hooks.example.com/console',
        });
        for (const { spec } of deploymentsOf(objects))
          for (const { image } of spec.template.spec.containers) expect(image).to.equal(PUSHED);
      },
    );
  }

  helm('may use the values that it names in comments', async (ways) => {
    const [deployment] = deploymentsOf(
      await ways.chart(parse(VALUES.replace('# pullSecrets', 'pullSecrets'))),
    );
    expect(deployment?.spec.template.spec.imagePullSecrets).to.deep.equal([{ name: 'registry-login' }]);
  });

  both('name objects and containers that exist', async (ways) => {
    const objects = [
      ...(await ways.chart(PRODUCTION, 'production')),
      ...(await ways.chart(ONE_PROCESS)),
      ...(await ways.overlay('demo')),
    ];
    const made = Array.from(COMMANDS.matchAll(/^kubectl create (job) (\S+)/gm), ([, ...names]) =>
      names.join('/'),
    );
    const existing = [
      ...objects.map(({ kind, metadata }) => `${kind.toLowerCase()}/${metadata.name}`),
      ...made,
    ];
    const named = COMMANDS.match(/\b(deployment|service|cronjob|scaledobject|job)\/[a-z-]+/g) ?? [];
    expect(named).to.have.length.above(10);
    expect(existing).to.include.members(named);
    const images = [...COMMANDS.matchAll(/set image deployment\/(\S+) ([a-z]+)=/g)];
    expect(images).to.have.length(2);
    for (const [, deployment, container] of images)
      expect(containersOf(objects, deployment!), deployment).to.include(container);
  });

  helm('start the deployment of another profile ahead, and nothing that moves the service', async (ways) => {
    const [command = ''] = /^helm template [^>]*(?= > ahead\.yaml)/m.exec(COMMANDS) ?? [];
    const values = ways.valuesFile(PRODUCTION);
    for (const [profile, deployment] of [
      ['all', 'postrider-all'],
      ['separate', 'postrider-api'],
    ]) {
      const script = command
        .replace(/^helm/, ways.helm!)
        .replace('my-values.yaml', values)
        .replace('profile=all', `profile=${profile}`);
      expect(await namesIn(script)).to.deep.equal([`Deployment ${deployment}`]);
    }
  });

  kubectl('start the deployments of another overlay ahead, with their settings', async () => {
    const [command = ''] = /^kubectl kustomize [^>]*(?= > ahead\.yaml)/m.exec(COMMANDS) ?? [];
    const [settings, ...deployments] = await namesIn(command.replace('overlays/mine', 'overlays/small'));
    expect(settings).to.match(/^ConfigMap postrider-config/);
    expect(deployments).to.deep.equal(['Deployment postrider-all']);
    const three = await namesIn(command.replace('overlays/mine', 'overlays/production'));
    expect(three.slice(1)).to.deep.equal(
      ['api', 'dispatcher', 'dlq-consumer'].map((name) => `Deployment postrider-${name}`),
    );
  });

  both('reach the api by its service, in every way of deploying', async (ways) => {
    for (const objects of [
      await ways.chart(PRODUCTION),
      await ways.chart(ONE_PROCESS),
      await ways.overlay('production'),
      await ways.overlay('small'),
    ]) {
      const service = objects.find(({ kind }) => kind === 'Service') as Manifest & Selecting;
      expect(service.metadata.name).to.equal('postrider-api');
      const wanted = Object.entries(service.spec.selector);
      const reached = deploymentsOf(objects)
        .map(({ spec }) => spec.template)
        .filter(({ metadata: { labels } }) => wanted.every(([name, value]) => labels[name] === value));
      expect(reached.map(({ spec }) => spec.containers[0]?.name)).to.deep.equal(['postrider']);
    }
  });
});

/** What a script of the guide prints, by kind and name. */
async function namesIn(script: string): Promise<string[]> {
  const { stdout } = await promisify(execFile)('sh', ['-c', script], { cwd: ROOT });
  return parseManifests(stdout).map(({ kind, metadata }) => `${kind} ${metadata.name}`);
}

const deploymentsOf = (objects: readonly Manifest[]) =>
  objects.filter(({ kind }) => kind === 'Deployment') as (Manifest & Deploying)[];

function containersOf(objects: readonly Manifest[], deployment: string): string[] {
  const found = deploymentsOf(objects).find(({ metadata }) => metadata.name === deployment);
  const { initContainers = [], containers = [] } = found?.spec.template.spec ?? {};
  return [...initContainers, ...containers].map(({ name }) => name);
}

interface Selecting {
  readonly spec: { readonly selector: Readonly<Record<string, string>> };
}

interface Deploying {
  readonly spec: {
    readonly template: {
      readonly metadata: { readonly labels: Readonly<Record<string, string>> };
      readonly spec: {
        readonly imagePullSecrets?: readonly { readonly name: string }[];
        readonly initContainers?: readonly Container[];
        readonly containers: readonly Container[];
      };
    };
  };
}

interface Container {
  readonly name: string;
  readonly image: string;
}
