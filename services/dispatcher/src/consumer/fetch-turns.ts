/** Decides when to fetch topics whose messages are not urgent: in turns, with rests in between. */
export interface FetchTurns {
  /** Whether the topics must not be fetched now. */
  isResting(): boolean;
  /** Call before each fetch from a broker, after the messages of its last fetch were accepted. */
  fetchBegins(broker: number): void;
  /** Continues the turn: another fetch from every broker is needed, because more messages may follow. */
  extend(): void;
  /** Begins a turn at once. */
  begin(): void;
  /** Begins a turn at once. Call after an assignment, because brokers and partitions may have changed. */
  restart(): void;
}

/** Turns do not wait for a broker without a fetch for this long, in milliseconds: it is lost, or does not respond. */
const LOST_MS = 10_000;

/**
 * A turn ends when a fetch from each broker has brought none of these messages.
 *
 * @param restMs how long a rest lasts; 0: the topics never rest
 */
export function createFetchTurns(
  restMs: number,
  monotonicMs: () => number = () => performance.now(),
): FetchTurns {
  /** Counts turns and their extensions. */
  let round = 0;
  /** The last fetch begun from each broker. */
  let fetches = new Map<number, { readonly round: number; readonly at: number }>();
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
  const forgetLostBrokers = (time: number) => {
    for (const [broker, { at }] of fetches) if (time - at > LOST_MS) fetches.delete(broker);
  };
  return {
    isResting: () => restsUntil !== null,
    fetchBegins(broker) {
      if (restMs === 0) return;
      const time = monotonicMs();
      if (restsUntil !== null && time >= restsUntil) begin();
      if (restsUntil === null && fetches.get(broker)?.round === round) finished.add(broker);
      fetches.set(broker, { round, at: time });
      forgetLostBrokers(time);
      const isFinished = [...fetches.keys()].every((one) => finished.has(one));
      if (restsUntil === null && isFinished) restsUntil = time + restMs;
    },
    extend,
    begin,
    restart() {
      fetches = new Map();
      begin();
    },
  };
}
