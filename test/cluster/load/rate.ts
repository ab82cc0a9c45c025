/** How deliveries of some rate come about: each event of a call goes to every endpoint. */
export interface Rate {
  readonly endpoints: number;
  readonly callsPerSecond: number;
}

/** Many enough that a call hits each short interruption, few enough that the api is not what limits the rate. */
const CALLS_PER_SECOND = 20;

/** The endpoints and calls that make this many deliveries a second. */
export function rateOf(deliveriesPerSecond: number): Rate {
  const endpoints = Math.max(1, Math.round(deliveriesPerSecond / CALLS_PER_SECOND));
  return { endpoints, callsPerSecond: deliveriesPerSecond / endpoints };
}
