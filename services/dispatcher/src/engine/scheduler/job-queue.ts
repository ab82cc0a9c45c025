import { createFifo, type Fifo } from './fifo.js';

/** The queued jobs of an endpoint: the ones of replay jobs after all others, and within each class the first one first. */
export type JobQueue<Job> = Omit<Fifo<Job>, 'peek'>;

export function createJobQueue<Job>(isReplay: (job: Job) => boolean): JobQueue<Job> {
  const fresh = createFifo<Job>();
  const replays = createFifo<Job>();
  const queueOf = (job: Job) => (isReplay(job) ? replays : fresh);
  return {
    push: (job) => queueOf(job).push(job),
    unshift: (job) => queueOf(job).unshift(job),
    shift: () => fresh.shift() ?? replays.shift(),
    first: (count) => [...fresh.first(count), ...replays.first(Math.max(0, count - fresh.size()))],
    cutAfter(keep) {
      const keptReplays = Math.max(0, keep - fresh.size());
      return [...fresh.cutAfter(keep), ...replays.cutAfter(keptReplays)];
    },
    size: () => fresh.size() + replays.size(),
  };
}
