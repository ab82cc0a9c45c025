import { poll } from '#dev/processes/poll';
import type { Fault, Step } from '../fault.js';
import { STEADY } from '../load/population.js';
import { OK } from '../load/receiver.js';
import { answer, begin, expectPeak, paths, pause } from '../steps/frequent.js';
import { type OtherWorkspace, openOtherWorkspaces, underOtherLoad } from '../steps/other-workspaces.js';

const SILENT_PATHS = paths('/silent', 90);
/** A POST lingers before the next event, so that each event needs one prompt slot per endpoint, of 64 in each dispatcher. */
const SILENT: readonly OtherWorkspace[] = [{ slug: 'silent', paths: SILENT_PATHS, eventEveryMs: 1_200 }];
/** Its POSTs take time of the cores as well, which the speeds before the silence must include. */
const ANSWERING_S = 15;
const SILENCE_S = 40;
/** Endpoints that were not known to answer would get fewer POSTs together: half of the prompt slots. */
const LINGERING = { service: 'dispatcher', name: 'postrider_lingering_posts' } as const;
const MIN_LINGERING = 84;
const ANSWERED_WITHIN_MS = 30_000;

const well = () => OK;

/** Waits until each of these endpoints has answered a POST, so that the dispatchers know that it does. */
const untilAnswered =
  (some: readonly string[]): Step =>
  ({ receiver }) => {
    const haveAnswered = async () => {
      const answered = new Set(receiver.received.filter((post) => post.answer).map(({ path }) => path));
      return some.every((path) => answered.has(path)) || undefined;
    };
    const timing = { everyMs: 200, timeoutMs: ANSWERED_WITHIN_MS };
    return poll(haveAnswered, { ...timing, what: 'an answer of each endpoint' });
  };

export const SILENT_WORKSPACE: readonly Fault[] = [
  {
    number: 37,
    name: `all ${SILENT_PATHS.length} endpoints of another workspace fall silent`,
    healthy: STEADY,
    overloaded: SILENT_PATHS,
    settings: () => ({ MAX_IN_FLIGHT: '64' }),
    prepare: openOtherWorkspaces(SILENT, ({ receiver }) => receiver.otherUrl),
    steps: [
      expectPeak(MIN_LINGERING, LINGERING, [
        underOtherLoad(SILENT, [
          untilAnswered(SILENT_PATHS),
          pause(ANSWERING_S),
          begin,
          answer(SILENT_PATHS, () => 'silence'),
          pause(SILENCE_S),
        ]),
      ]),
      answer(SILENT_PATHS, well),
    ],
  },
];
