import { poll } from '#dev/processes/poll';
import { CHART } from '../../deploy/render.js';
import { EVENT_TYPES } from '../../deploy/variants.js';
import type { Kubectl } from '../tools.js';
import { type Helm, RELEASE } from './helm-in.js';

const REASONS = ['state', 'lastState'].map(
  (state) => `{.items[*].status.initContainerStatuses[*].${state}.terminated.message}`,
);
const REFUSED = /the catalogue has \d+ mistakes; nothing was stored/;

/** Upgrades to a catalogue with mistakes, waits until a new pod has refused it, and returns to the one before. */
export async function refuseCatalogue(helm: Helm, kubectl: Kubectl, values: object): Promise<void> {
  await helm.apply(CHART, {
    ...values,
    eventCatalogue: EVENT_TYPES.replaceAll('type: object', 'type: thing'),
  });
  const refused = async () => {
    const pods = ['get', 'pods', '-l', 'app.kubernetes.io/component=api', '-o'];
    const said = await kubectl(...pods, `jsonpath=${REASONS.join('')}`);
    return REFUSED.test(said) ? true : undefined;
  };
  await poll(refused, { everyMs: 1_000, timeoutMs: 120_000, what: 'the refusal of the catalogue' });
  await helm('rollback', RELEASE, '--wait');
}
