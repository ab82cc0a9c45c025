import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommanderError } from 'commander';
import { findHelm } from '#dev/deploy/find-helm';
import { startNative } from '#dev/stack/native/start-native';
import { ROOT } from '#dev/start/places';
import { chooseCluster } from './choose-cluster.js';
import type { Cluster } from './cluster.js';
import { buildLayers } from './image/build-image.js';
import { startCountingReceiver } from './load/counting-receiver.js';
import { type Options, parseOptions } from './options.js';
import { dryRun } from './steps/dry-run.js';
import { helm } from './steps/helm.js';
import { kustomize } from './steps/kustomize.js';
import { createStory } from './steps/step.js';
import type { Trial } from './trial.js';

const STEPS = [dryRun, helm, kustomize];
const IMAGE = { repository: 'postrider.test/postrider', tag: 'first', nextTag: 'second' };

const INTERRUPTED = 130;

const report = (line: string) => console.log(line);

/** @returns the exit code: 1 if a step failed */
async function testCluster(options: Options): Promise<number> {
  const helmProgram = await findHelm(report);
  if (helmProgram === null) throw new Error('neither helm nor go is installed: install one of them');
  const undo: (() => Promise<unknown>)[] = [];
  const undoAll = async () => {
    for (let one = undo.pop(); one !== undefined; one = undo.pop()) await one();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => undoAll().finally(() => process.exit(INTERRUPTED)));
  try {
    const cluster = await chooseCluster(process.env, report);
    undo.push(() => cluster.stop());
    const receiver = await startCountingReceiver(cluster.host);
    undo.push(() => receiver.close());
    const servers = await startNative({ report, host: cluster.host });
    undo.push(() => servers.stop());
    await loadImages(cluster);
    const { perSecond } = options;
    return await runSteps(options, {
      cluster,
      helm: helmProgram,
      servers,
      receiver,
      image: IMAGE,
      perSecond,
      report,
    });
  } finally {
    await undoAll();
  }
}

async function runSteps({ steps }: Options, trial: Trial): Promise<number> {
  const story = createStory(report);
  for (const step of STEPS.filter(({ name }) => steps.includes(name))) {
    report(`\n${step.name}: ${step.about}`);
    // Its failed part is recorded.
    await step.run(trial, story).catch(() => {});
  }
  const failed = story.results.filter(({ problems }) => problems.length > 0);
  report(`\n${story.results.length} parts, ${failed.length} failed`);
  return failed.length > 0 || story.results.length === 0 ? 1 : 0;
}

async function loadImages(cluster: Cluster): Promise<void> {
  report('building the image');
  const directory = mkdtempSync(join(tmpdir(), 'postrider-images-'));
  const layers = await buildLayers(ROOT, join(directory, 'build.log'));
  try {
    for (const tag of [IMAGE.tag, IMAGE.nextTag]) {
      const archive = join(directory, `${tag}.tar`);
      await layers.write(`${IMAGE.repository}:${tag}`, tag, archive);
      await cluster.load(archive);
    }
  } finally {
    layers.remove();
    rmSync(directory, { recursive: true });
  }
}

try {
  const options = parseOptions(process.argv.slice(2), STEPS);
  process.exitCode = await testCluster(options);
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode;
  else {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}
