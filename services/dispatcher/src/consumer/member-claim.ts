/** What a member tells the leader in the `userData` of its metadata. */
export interface Claim {
  readonly owned: readonly number[];
  readonly generation: number;
}

/** Members of several releases share a group during an update; a version that is not known claims nothing. */
const VERSION = 1;

const NOTHING: Claim = { owned: [], generation: 0 };

export function encodeClaim({ owned, generation }: Claim): Buffer {
  return Buffer.from(JSON.stringify({ version: VERSION, generation, owned }));
}

/** What cannot be read claims nothing: the member gets a share as if it were new. */
export function decodeClaim(userData: Uint8Array | null): Claim {
  if (userData === null || userData.length === 0) return NOTHING;
  try {
    const { version, generation, owned } = JSON.parse(Buffer.from(userData).toString('utf8'));
    const readable =
      version === VERSION && isCount(generation) && Array.isArray(owned) && owned.every(isCount);
    return readable ? { owned, generation } : NOTHING;
  } catch {
    return NOTHING;
  }
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
