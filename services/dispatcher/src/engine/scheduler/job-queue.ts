import { Fifo } from './fifo.js';

/** The queued jobs of an endpoint: those of replay jobs after all others, and each class in order of arrival. */
export class JobQueue<Job> {
  readonly #isReplay: (job: Job) => boolean;
  readonly #regular = new Fifo<Job>();
  /** Null until a job of a replay job is queued: most endpoints never have one. */
  #replays: Fifo<Job> | null = null;

  constructor(isReplay: (job: Job) => boolean) {
    this.#isReplay = isReplay;
  }

  get size(): number {
    return this.#regular.size + (this.#replays?.size ?? 0);
  }

  push(job: Job): void {
    this.#queueOf(job).push(job);
  }

  unshift(job: Job): void {
    this.#queueOf(job).unshift(job);
  }

  shift(): Job | undefined {
    return this.#regular.shift() ?? this.#replays?.shift();
  }

  first(count: number): readonly Job[] {
    const replays = this.#replays?.first(Math.max(0, count - this.#regular.size)) ?? [];
    return [...this.#regular.first(count), ...replays];
  }

  cutAfter(keep: number): Job[] {
    const keptReplays = Math.max(0, keep - this.#regular.size);
    return [...this.#regular.cutAfter(keep), ...(this.#replays?.cutAfter(keptReplays) ?? [])];
  }

  #queueOf(job: Job): Fifo<Job> {
    if (!this.#isReplay(job)) return this.#regular;
    this.#replays ??= new Fifo<Job>();
    return this.#replays;
  }
}
