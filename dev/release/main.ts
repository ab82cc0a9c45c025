import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { findHelm, runs } from '../processes/find-helm.js';
import { ROOT } from '../start/paths.js';
import { imageBuild, releasePlan, uncommittedFiles } from './release-plan.js';
import { RELEASED_FILES } from './released-files.js';

const CHART = join(ROOT, 'deploy/helm/postrider');
const OUT = join(ROOT, '.postrider', 'release');
const report = (line: string) => console.log(line);
const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' });

function version(text: string): string {
  if (/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/.test(text)) return text;
  throw new InvalidArgumentError('must be a semantic version, like 1.2.0.');
}

/**
 * Sets the version everywhere and commits that, then builds an image and a chart with it. Pushes nothing. After
 * a failure the same command continues.
 */
async function release(
  to: string,
  { dryRun, repository }: { dryRun?: boolean; repository: string },
): Promise<void> {
  const carryOut = (what: string, work: () => void) => {
    report(`${dryRun ? 'would' : 'now'}: ${what}`);
    if (!dryRun) work();
  };
  const helm = await findHelm(report);
  const plan = releasePlan({
    version: to,
    day: new Date().toISOString().slice(0, 10),
    texts: new Map(RELEASED_FILES.map((file) => [file, readFileSync(join(ROOT, file), 'utf8')])),
    // Without renames an entry names one file.
    uncommitted: uncommittedFiles(git('status', '--porcelain=v1', '-z', '--no-renames')),
    hasDocker: await runs('docker', ['version']),
    hasHelm: helm !== null,
  });
  for (const [file, text] of plan.writes)
    carryOut(`write ${file}`, () => writeFileSync(join(ROOT, file), text));
  const { commit } = plan;
  if (commit.length > 0)
    carryOut(`commit ${commit.join(', ')}`, () => git('commit', '-m', `Release ${to}`, '--', ...commit));
  const revision = dryRun && commit.length > 0 ? 'of-that-commit' : git('rev-parse', 'HEAD').trim();
  const image = imageBuild(repository, to, revision, process.env);
  carryOut(`docker ${image.join(' ')}`, () => execFileSync('docker', image, { cwd: ROOT, stdio: 'inherit' }));
  const chart = ['package', CHART, '--version', to, '--app-version', to, '--destination', OUT];
  carryOut(`${helm} ${chart.join(' ')}`, () => {
    mkdirSync(OUT, { recursive: true });
    execFileSync(helm ?? 'helm', chart, { stdio: 'inherit' });
  });
}

await new Command('npm run release --')
  .description('Sets the version everywhere and commits that, then builds its image and its chart.')
  .argument('<version>', 'like 1.2.0', version)
  .option('--dry-run', 'only print what would be done')
  .option('--repository <name>', 'of the image', 'postrider')
  .action(release)
  .parseAsync()
  .catch((error: Error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
