/** The steps after the creation whose place is kept. */
const STEPS = ['test', 'check'] as const;

/** How far the path has come. It is kept in the address: a person returns to it from the pages that it links to. */
export interface FirstSteps {
  readonly endpointId?: string;
  /** Absent until the receiver is said to verify. */
  readonly step?: (typeof STEPS)[number];
  /** Of the test event that was sent last. */
  readonly deliveryId?: string;
}

export const ORDER = ['create', 'secret', ...STEPS] as const;
export type StepName = (typeof ORDER)[number];

/** Reads the place in an address. Other names are ignored: an address can come from another version. */
export function readFirstSteps(search: Readonly<Record<string, unknown>>): FirstSteps {
  const { endpointId, deliveryId } = search;
  const step = STEPS.find((name) => name === search.step);
  return {
    ...(typeof endpointId === 'string' && { endpointId }),
    ...(step !== undefined && { step }),
    ...(typeof deliveryId === 'string' && { deliveryId }),
  };
}

export function stepOf({ endpointId, step }: FirstSteps): StepName {
  return endpointId === undefined ? 'create' : (step ?? 'secret');
}
