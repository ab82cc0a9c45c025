import { existsSync, globSync, readFileSync } from 'node:fs';
import { DECLARATION as api } from '@postrider/api/config';
import { DECLARATION as dispatcher } from '@postrider/dispatcher/config';
import { DECLARATION as dlqConsumer } from '@postrider/dlq-consumer/config';
import { DECLARATION as janitor } from '@postrider/janitor/config';
import { CATALOGUE, TOPICS } from '@postrider/shared/platform/migration-config';
import { expect } from 'chai';
import { type Helm, uninstall } from './cluster/steps/helm-in.js';
import { rotateEncryptionKey } from './cluster/steps/rotate-encryption-key.js';
import { type Kubectl, untilRolledOut } from './cluster/tools.js';

const ROOT = new URL('../../', import.meta.url);
const STEP_FILES = 'test/cluster/steps/';
/** Images as commands name them; the chart's values have the tag apart. */
const IMAGES = /((?<!repository: )registry\.example\.com\/|docker-image |-t )postrider[\w.:-]*/g;

describe('log events', () => {
  it('are named by words that are joined with underscores', () => {
    const events = globSync('{shared,services/*}/src/**/*.ts', { cwd: ROOT }).flatMap((file) =>
      Array.from(
        readFileSync(new URL(file, ROOT), 'utf8').matchAll(/\bevent: '([\w.-]+)'/g),
        ([, event]) => event!,
      ),
    );
    expect(events).to.have.length.above(100);
    expect(events.filter((event) => event.includes('-'))).to.deep.equal([]);
  });
});

describe('operating guide', () => {
  const guide = readFileSync(new URL('docs/operating.md', ROOT), 'utf8');
  const listed = [...guide.matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, name]) => name);
  const declared = { ...api, ...dispatcher, ...dlqConsumer, ...janitor, ...TOPICS, ...CATALOGUE };

  it('lists every variable that a service or a migration reads, and no other', () => {
    expect(listed.toSorted()).to.deep.equal(Object.keys(declared).toSorted());
  });

  it('writes each default so that its variable accepts it with the same value', () => {
    const parsers: Readonly<Record<string, { readonly default?: unknown; _parse(text: string): unknown }>> =
      declared;
    const rows = [...guide.matchAll(/^\| `([A-Z_]+)` \|(?:[^|]+\|){2} `([^`]+)` \|/gm)];
    expect(rows).to.have.length.above(50);
    for (const [, name, text] of rows)
      expect(parsers[name!]?._parse(text!), name).to.deep.equal(parsers[name!]?.default);
  });

  it('explains every event that is logged as an error, and no other', () => {
    const [, table = ''] = guide.split('| event | what happened, and what to do |\n|---|---|\n');
    const explained = [...table.split('\n\n')[0]!.matchAll(/^\| `([\w.-]+)` \|/gm)].map(
      ([, event]) => event!,
    );
    const logged = globSync('{shared,services/*}/src/**/*.ts', { cwd: ROOT }).flatMap((file) => {
      const text = readFileSync(new URL(file, ROOT), 'utf8');
      return [...text.matchAll(/\blog\.error\(\s*(\w+|\{)/g)].map(({ index, 1: facts }) => {
        const from = facts === '{' ? index : text.lastIndexOf(`const ${facts} = {`, index);
        return /\bevent: '([\w.-]+)'/.exec(text.slice(from))?.[1];
      });
    });
    expect(logged).to.have.length.above(10);
    expect([...new Set(logged)].toSorted()).to.deep.equal(explained.toSorted());
  });

  it('builds, pushes and runs the image with the tag that chart and overlays use', () => {
    const chart = readFileSync(new URL('deploy/helm/postrider/Chart.yaml', ROOT), 'utf8');
    const [, version] = /^appVersion: (.*)$/m.exec(chart) ?? [];
    const readme = readFileSync(new URL('README.md', ROOT), 'utf8');
    const images = `${readme}\n${guide}`.match(IMAGES) ?? [];
    expect(images).to.have.length.above(7);
    for (const image of images) expect(image).to.match(new RegExp(`postrider(-demo)?:${version}$`));
  });

  it("spells Kafka's tools alike, and mentions the prefix of topics beside each of their commands", () => {
    const spelled = new Set(guide.match(/\bkafka-(topics|configs|consumer-groups)\b(\.sh)?/g));
    expect([...spelled].filter((name) => !name.endsWith('.sh'))).to.deep.equal([]);
    const commands = [...guide.matchAll(/```sh\n(?=[^`]*kafka-)(?=[^`]*workspace\.events)/g)];
    expect(commands).to.have.length(4);
    for (const { index } of commands) {
      const before = guide.slice(guide.lastIndexOf('\n\n', index - 3), index);
      expect(before, guide.slice(index, index + 200)).to.include('TOPIC_PREFIX');
    }
  });

  it('has the commands that the test on a cluster runs to wait, to rotate the key and to uninstall', async () => {
    const ran = new Set<string>();
    const record =
      (program: string, answer = '') =>
      async (...args: string[]) => {
        ran.add([program, ...args].join(' ').replace(/"k\d:[^"]*"/, '"k1:…,k2:…"'));
        return answer;
      };
    const [kubectl, helm] = ['kubectl', 'helm'].map((program) => record(program));
    const admin = record('admin', 'may be removed from ENCRYPTION_KEYS everywhere');
    const programs = { helm: helm as Helm, kubectl: Object.assign(kubectl!, { admin }) as Kubectl };
    await untilRolledOut(programs.kubectl);
    await rotateEncryptionKey({ kubectl: programs.kubectl, oldKey: 'k1:a', newKey: 'k2:b' });
    await uninstall(programs.helm, programs.kubectl);
    const commands = [...ran].filter((command) => !command.startsWith('kubectl get '));
    expect(commands).to.have.length(7);
    for (const command of commands) expect(guide.replaceAll("'", '')).to.contain(command);
  });

  it('names for each claim a test that exists, or says that it was not tried', () => {
    const [, table = ''] = guide.split('| claim | shown by |\n|---|---|\n');
    const rows = table.split('\n').filter((line) => line.startsWith('|'));
    expect(rows).to.have.length.above(25);
    for (const row of rows) {
      const files = Array.from(row.matchAll(/`([\w/.-]+\.test\.ts)`/g), ([, file]) => file!);
      const steps = Array.from(row.matchAll(/`test:cluster ([\w-]+)`/g), ([, name]) => STEP_FILES + name);
      const missing = [...files, ...steps.map((step) => `${step}.ts`)].filter(
        (file) => !existsSync(new URL(file, ROOT)),
      );
      expect(missing, row).to.deep.equal([]);
      if (files.length + steps.length === 0) expect(row).to.match(/\]\(\w+\.md\)|not tried/);
    }
  });
});
