/** Decides when topics are fetched whose messages are not urgent: in turns, with a rest in between. */
export interface FetchTurns {
  /** Whether the topics must not be fetched now. */
  isResting(): boolean;
  /** Call before each fetch from a broker, after the messages of its last fetch were accepted. */
  fetchBegins(broker: number): void;
  /** Continues the turn: another fetch from every broker is needed, because more messages may follow. */
  extend(): void;
  /** Begins a turn at once. Call after an assignment, because brokers and partitions may have changed. */
  restart(): void;
}

/**
 * A turn ends when a fetch from each broker has brought none of these messages.
 *
 * @param restMs how long a rest lasts; 0: the topics never rest
 * @param now monotonic, in milliseconds
 */
export function createFetchTurns(restMs: number, now: () => number = () => performance.now()): FetchTurns {
  /** Counts turns and their extensions. */
  let round = 0;
  /** The round in which the last fetch from each broker began. */
  let fetches = new Map<number, number>();
  let finished = new Set<number>();
  let restsUntil: number | null = null;
  const extend = () => {
    round += 1;
    finished = new Set();
  };
  const begin = () => {
    restsUntil = null;
    extend();
  };
  return {
    isResting: () => restsUntil !== null,
    fetchBegins(broker) {
      if (restMs === 0) return;
      if (restsUntil !== null && now() >= restsUntil) begin();
      if (restsUntil === null && fetches.get(broker) === round) finished.add(broker);
      fetches.set(broker, round);
      if (restsUntil === null && finished.size === fetches.size) restsUntil = now() + restMs;
    },
    extend,
    restart() {
      fetches = new Map();
      begin();
    },
  };
}
