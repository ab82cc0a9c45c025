import type { Account } from '../load/account.js';
import { type Publisher, startLoad } from '../load/publish-load.js';
import { rateOf } from '../load/rate.js';
import type { Source } from '../load/sources.js';
import type { Trial } from '../trial.js';
import type { Story } from './step.js';

interface Disruption {
  readonly what: string;
  /** Calls may be reset when a pod is killed, but not when it is stopped. */
  readonly mayReset?: true;
  readonly act: () => Promise<unknown>;
}

/** Where events come from and where they are counted. */
export interface Published {
  readonly trial: Trial;
  readonly story: Story;
  readonly publisher: Publisher;
  readonly source: Source;
}

/** Acts while events are published, and accounts for every delivery. */
export async function underLoad(
  { trial: { receiver, perSecond }, story, publisher, source }: Published,
  { what, act, mayReset }: Disruption,
): Promise<void> {
  const startedAt = performance.now();
  const { callsPerSecond } = rateOf(perSecond);
  const load = startLoad({ publisher, receiver, source, callsPerSecond });
  const failure = await act().then(
    () => null,
    (error: Error) => error.message,
  );
  const account = await load.stop();
  const problems = [...(failure === null ? [] : [failure]), ...problemsOf(account, mayReset === true)];
  story.record({ what, seconds: (performance.now() - startedAt) / 1_000, account, problems });
}

function problemsOf({ accepted, lost, reset, late, refused }: Account, mayFail: boolean): string[] {
  return [
    ...(accepted === 0 ? ['no call was accepted: the load shows nothing'] : []),
    ...(lost > 0 ? [`${lost} accepted deliveries never arrived`] : []),
    ...(reset > 0 && !mayFail ? [`${reset} calls were reset`] : []),
    ...(late > 0 && !mayFail ? [`${late} calls had no answer within 15 s: is the machine overloaded?`] : []),
    ...(refused > 0 && !mayFail ? [`${refused} calls were refused`] : []),
  ];
}
