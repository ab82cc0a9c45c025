/** Maximum numbers of POSTs in flight. */
export interface PoolLimits {
  /** POSTs to one endpoint. */
  readonly perEndpoint: number;
  /** POSTs in flight for less than a second, in total. */
  readonly prompt: number;
  /** Prompt POSTs to endpoints that are not proven. */
  readonly probation: number;
  /** Prompt POSTs to endpoints with a stored failure streak. */
  readonly suspect: number;
  /** Prompt POSTs of one workspace for each prompt slot that is free. */
  readonly perFree: number;
  /** POSTs in flight for longer, or expected to be, in total. */
  readonly lingering: number;
  /** Lingering POSTs of one workspace. */
  readonly perWorkspace: number;
  /** POSTs to one origin that linger or, until it answers, go to endpoints on probation. */
  readonly perOrigin: number;
  /** The rows of POSTs, in bytes, without those of workspaces that use little. */
  readonly bytes: number;
}

/** Fraction of the prompt slots for suspects: after a restart thousands of silent endpoints may be suspects. */
const SUSPECTS = 1 / 16;
/** Fraction of an origin's POSTs that is reserved for workspaces with none there. */
const RESERVED_OF_ORIGIN = 1 / 4;
const LINGERING_PER_ORIGIN = 64;
const PER_FREE_SLOT = 8;

/** Derives all limits from the sizes of the two pools. */
export function poolLimits({
  perEndpoint,
  prompt,
  lingering,
  bytes,
}: Pick<PoolLimits, 'perEndpoint' | 'prompt' | 'lingering' | 'bytes'>): PoolLimits {
  return {
    perEndpoint,
    prompt,
    probation: Math.ceil(prompt / 2),
    suspect: Math.ceil(prompt * SUSPECTS),
    perFree: PER_FREE_SLOT,
    lingering,
    perWorkspace: Math.ceil(lingering / 4),
    perOrigin: Math.min(LINGERING_PER_ORIGIN, lingering),
    bytes,
  };
}

/** The number of POSTs to an origin at which a workspace that has `own` of them starts no more there. */
export function originLimit({ perOrigin }: Pick<PoolLimits, 'perOrigin'>, own: number): number {
  return own === 0 ? perOrigin : perOrigin - Math.floor(perOrigin * RESERVED_OF_ORIGIN);
}
