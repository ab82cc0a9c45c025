import { poll } from '#dev/processes/poll';
import { CHART } from '../../deploy/render.js';
import { rateOf } from '../load/rate.js';
import { TOKEN_EVENTS } from '../load/sources.js';
import { type Kubectl, namesOf, untilRolledOut, withNamespace } from '../tools.js';
import type { Trial } from '../trial.js';
import { helmIn, RELEASE, uninstall } from './helm-in.js';
import { createEndpoint, deliverFirst, setUpWorkspace } from './set-up-workspace.js';
import type { Step, Story } from './step.js';
import { underLoad } from './under-load.js';
import { trialSettings, valuesFor } from './values.js';

const NAMESPACE = 'postrider-upgrade';
/** Deliveries that arrive while both versions run, in seconds of load. */
const BOTH_RUN_FOR = 20;
const LEVEL = /^postrider_feature_level (\d+)$/m;
const FIRST_LEVEL = 1;
const COMPONENT = 'app.kubernetes.io/component';

export const upgrade: Step = {
  name: 'upgrade',
  about:
    'replaces an earlier version under load, goes back to it, and waits until the feature level has risen',
  run: (trial, story) => withNamespace(trial, NAMESPACE, (kubectl) => tryUpgrade(trial, story, kubectl)),
};

async function tryUpgrade(trial: Trial, story: Story, kubectl: Kubectl): Promise<void> {
  const { previous } = trial;
  if (previous === null)
    throw new Error('there is no earlier version to upgrade from: choose its commit with --from');
  const helm = helmIn(trial, NAMESPACE);
  const { earlier, next } = valuesOfVersions(trial, previous.tag);
  await story.part('helm install of the earlier version', () => helm.install(previous.chart, earlier));
  const { endpoints } = rateOf(trial.perSecond);
  const publisher = await story.part('workspace, token and endpoints', () =>
    setUpWorkspace(trial, kubectl, { endpoints, eventTypes: ['api_token.created'] }),
  );
  const source = TOKEN_EVENTS;
  await story.part('the first verified delivery', () => deliverFirst(trial, publisher, source));
  const disrupt = (what: string, act: () => Promise<unknown>) =>
    underLoad({ trial, story, publisher, source }, { what, act });
  await disrupt('upgrade that stops half-way and continues', async () => {
    await helm.apply(CHART, next);
    await runBoth(trial, kubectl);
  });
  await story.part('the feature level is still the first', () => untilLevel(kubectl, FIRST_LEVEL));
  await disrupt('rollback to the earlier version', () => helm('rollback', RELEASE, '1', '--wait'));
  await disrupt('upgrade and rise of the feature level', async () => {
    await helm.install(CHART, next);
    await untilLevel(kubectl, FIRST_LEVEL + 1);
  });
  await story.part('a subscription that the earlier version does not understand', () =>
    createEndpoint(trial, publisher, { path: '/hook/next', eventTypes: ['invoice.*'] }),
  );
  await story.part('admin verify', () => kubectl.admin('verify'));
  await story.part('helm uninstall until no pod is left', () => uninstall(helm, kubectl));
}

function valuesOfVersions(trial: Trial, earlierTag: string) {
  const values = valuesFor(trial, 'upgrade');
  // The earlier version does not have this setting.
  const { RATE_LIMIT_PUBLISH: _, ...common } = trialSettings(trial);
  const of = (tag: string, config: object) => ({ ...values, config, image: { ...values.image, tag } });
  return {
    earlier: of(earlierTag, common),
    // The load is tokens: more than a workspace usually has. The earlier version has no limit.
    next: of(trial.image.tag, { ...common, TOKENS_PER_WORKSPACE: '1000000' }),
  };
}

/** Stops the rollout while each service runs in the new version and, where it has several pods, in both; continues it later. */
async function runBoth(trial: Trial, kubectl: Kubectl): Promise<void> {
  const deployments = await namesOf(kubectl, 'deployments');
  await kubectl('rollout', 'pause', ...deployments);
  const { image, previous } = trial;
  const both = async () => {
    const running = await readyTags(kubectl);
    const runs = (service: string, tag: string) => running.some((one) => one === `${service} ${tag}`);
    return ['api', 'dispatcher'].every(
      (service) => runs(service, image.tag) && runs(service, previous!.tag),
    ) && runs('dlq-consumer', image.tag)
      ? true
      : undefined;
  };
  await poll(both, {
    everyMs: 500,
    timeoutMs: 240_000,
    what: 'the start of the new version beside the earlier one',
  });
  await untilArrived(trial);
  await kubectl('rollout', 'resume', ...deployments);
  await untilRolledOut(kubectl);
}

interface RunningPod {
  readonly metadata: {
    readonly name: string;
    readonly labels: Record<string, string>;
    readonly deletionTimestamp?: string;
  };
  readonly status: {
    readonly containerStatuses?: readonly { readonly ready: boolean; readonly image: string }[];
  };
}

async function lastingPods(kubectl: Kubectl): Promise<RunningPod[]> {
  const { items } = JSON.parse(await kubectl('get', 'pods', '-o', 'json')) as { items: RunningPod[] };
  return items.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
}

/** Service and tag of each ready pod. */
async function readyTags(kubectl: Kubectl): Promise<string[]> {
  return (await lastingPods(kubectl)).flatMap(({ metadata, status }) =>
    (status.containerStatuses ?? [])
      .filter(({ ready }) => ready)
      .map(({ image }) => `${metadata.labels[COMPONENT]} ${image.split(':').at(-1)}`),
  );
}

/** Waits until as many deliveries have arrived as are made in a while. */
async function untilArrived({ receiver, perSecond }: Trial): Promise<void> {
  const enough = receiver.posts.size + perSecond * BOTH_RUN_FOR;
  const arrived = async () => (receiver.posts.size >= enough ? true : undefined);
  await poll(arrived, { everyMs: 250, timeoutMs: 240_000, what: 'the arrival of deliveries' });
}

/** Waits until each process of the api has this feature level. */
function untilLevel(kubectl: Kubectl, expected: number): Promise<true> {
  const reached = async () => {
    const pods = (await lastingPods(kubectl)).filter(({ metadata }) => metadata.labels[COMPONENT] === 'api');
    for (const { metadata } of pods) {
      const path = `/api/v1/namespaces/${NAMESPACE}/pods/${metadata.name}:9464/proxy/metrics`;
      const level = Number(LEVEL.exec(await kubectl('get', '--raw', path))?.[1]);
      if (level !== expected) throw new Error(`${metadata.name} has ${level}`);
    }
    return true as const;
  };
  return poll(reached, { everyMs: 2_000, timeoutMs: 180_000, what: `feature level ${expected}` });
}
