import { join } from 'node:path';
import { CommanderError } from 'commander';
import { findHelm } from '#dev/processes/find-helm';
import { startNative } from '#dev/stack/native/start-native';
import { ROOT } from '#dev/start/paths';
import { chooseCluster } from './choose-cluster.js';
import type { Cluster } from './cluster.js';
import { checkoutOf, commitOf } from './image/checkout-of.js';
import { loadImages } from './image/load-images.js';
import { startCountingReceiver } from './load/counting-receiver.js';
import { type Options, parseOptions } from './options.js';
import { keepCluster } from './own/keep-cluster.js';
import { dryRun } from './steps/dry-run.js';
import { helm } from './steps/helm.js';
import { kustomize } from './steps/kustomize.js';
import { policies } from './steps/policies.js';
import { createStory } from './steps/step.js';
import { upgrade } from './steps/upgrade.js';
import type { Trial } from './trial.js';
import { createUndo, type Undo } from './undo.js';

const STEPS = [dryRun, helm, kustomize, policies, upgrade];
const IMAGE = { repository: 'postrider.test/postrider', tag: 'first', nextTag: 'second' };

const INTERRUPTED = 130;
const SKIPPED =
  'upgrade was skipped, as nothing has been released: npm run test:cluster -- upgrade --from <commit> runs it';

const report = (line: string) => console.log(line);

/** @returns the exit code: 1 if a step failed */
async function testCluster(options: Options): Promise<number> {
  const helmProgram = await findHelm(report);
  if (helmProgram === null) throw new Error('neither helm nor go is installed: install one of them');
  const earlier = await earlierCommit(options);
  const undo = createUndo();
  const interrupted = undoOnSignal(undo);
  try {
    const cluster = await chooseCluster(process.env, report, undo);
    const receiver = await startCountingReceiver(cluster.host);
    undo.push(() => receiver.close());
    const servers = await startNative({ report, host: cluster.host });
    undo.push(() => servers.stop());
    const previous = await provideImages(cluster, earlier);
    const { perSecond } = options;
    const trial = {
      cluster,
      helm: helmProgram,
      undo,
      servers,
      receiver,
      image: IMAGE,
      previous,
      perSecond,
      report,
    };
    return await runSteps(options, trial, interrupted);
  } finally {
    await undo.all();
  }
}

/** Ends the process once everything is undone. @returns a signal that is given at the start of that */
function undoOnSignal(undo: Undo): AbortSignal {
  const interruption = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      interruption.abort();
      report('interrupted: removing what was created');
      undo.all().finally(() => process.exit(INTERRUPTED));
    });
  return interruption.signal;
}

/** The version to upgrade from, or null if the upgrade is not tried. @throws Error if it was chosen and there is none */
async function earlierCommit({ steps, chosen, from }: Options): Promise<string | null> {
  if (!steps.includes(upgrade.name)) return null;
  const earlier = await commitOf(from);
  if (earlier === null && chosen)
    throw new Error('nothing has been released: choose the version to upgrade from with --from <commit>');
  return earlier;
}

async function runSteps({ steps }: Options, trial: Trial, interrupted: AbortSignal): Promise<number> {
  const story = createStory(report);
  const failures = () => story.results.filter(({ problems }) => problems.length > 0);
  const possible = STEPS.filter((step) => step !== upgrade || trial.previous !== null);
  for (const step of steps.flatMap((chosen) => possible.filter(({ name }) => name === chosen))) {
    if (interrupted.aborted) break;
    report(`\n${step.name}: ${step.about}`);
    const before = failures().length;
    await step.run(trial, story).catch(({ message }: Error) => {
      // A failed part ends its step, and is recorded already.
      if (failures().length === before)
        story.record({ what: step.name, seconds: 0, account: null, problems: [message] });
    });
  }
  const failed = failures();
  report(`\n${story.results.length} parts, ${failed.length} failed`);
  if (steps.includes(upgrade.name) && trial.previous === null) report(SKIPPED);
  return failed.length > 0 || story.results.length === 0 ? 1 : 0;
}

/** Builds the images of this checkout, and that of an earlier commit. */
async function provideImages(cluster: Cluster, earlier: string | null): Promise<Trial['previous']> {
  const { repository, tag, nextTag } = IMAGE;
  report('building the image');
  await loadImages(cluster, { repository, tags: [tag, nextTag], checkout: ROOT });
  if (earlier === null) return null;
  report(`building the image of ${earlier}, which takes minutes the first time`);
  const checkout = await checkoutOf(earlier);
  await loadImages(cluster, { repository, tags: [earlier], checkout });
  return { tag: earlier, chart: join(checkout, 'deploy/helm/postrider') };
}

try {
  const options = parseOptions(process.argv.slice(2), STEPS);
  if (options.onlyStart) await keepCluster(report);
  else process.exitCode = await testCluster(options);
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode;
  else {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}
