import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { findHelm } from '../deploy/find-helm.js';
import { CHART } from '../deploy/render.js';
import { ROOT } from '../start/places.js';
import { releasedChangelog, VERSION_PLACES, withVersion } from './version-places.js';

const say = (line: string) => console.log(line);

function version(text: string): string {
  if (/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/.test(text)) return text;
  throw new InvalidArgumentError('must be a semantic version, like 1.2.0.');
}

interface ReleaseOptions {
  readonly dryRun?: boolean;
  readonly repository: string;
}

/** Writes the version everywhere, then builds an image and a chart that carry it. Commits and pushes nothing. */
async function release(to: string, { dryRun, repository }: ReleaseOptions): Promise<void> {
  const day = new Date().toISOString().slice(0, 10);
  const carryOut = (what: string, work: () => void) => {
    say(`${dryRun ? 'would' : 'now'}: ${what}`);
    if (!dryRun) work();
  };
  for (const file of VERSION_PLACES) edit(file, (text) => withVersion(file, text, to), carryOut);
  edit('CHANGELOG.md', (text) => releasedChangelog(text, to, day), carryOut);
  const revision = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: ROOT, encoding: 'utf8' }).trim();
  const labels = ['--build-arg', `VERSION=${to}`, '--build-arg', `REVISION=${revision}`];
  const image = ['build', '--target', 'services', ...labels, '--tag', `${repository}:${to}`, ROOT];
  carryOut(`docker ${image.join(' ')}`, () => execFileSync('docker', image, { stdio: 'inherit' }));
  const helm = await findHelm(process.env, say);
  const out = join(ROOT, '.postrider', 'release');
  const chart = ['package', CHART, '--version', to, '--app-version', to, '--destination', out];
  carryOut(`${helm ?? 'helm'} ${chart.join(' ')}`, () => {
    if (helm === null) throw new Error('neither helm nor go is here to package the chart with');
    mkdirSync(out, { recursive: true });
    execFileSync(helm, chart, { stdio: 'inherit' });
  });
}

function edit(
  file: string,
  change: (text: string) => string,
  carryOut: (what: string, work: () => void) => void,
): void {
  const path = join(ROOT, file);
  const before = readFileSync(path, 'utf8');
  const after = change(before);
  if (after !== before) carryOut(`write ${file}`, () => writeFileSync(path, after));
}

await new Command('npm run release --')
  .description('Builds the image and the chart of a version and writes it where it stands.')
  .argument('<version>', 'like 1.2.0', version)
  .option('--dry-run', 'only tell what would be done')
  .option('--repository <name>', 'of the image', 'postrider')
  .action(release)
  .parseAsync();
