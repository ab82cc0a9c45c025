/** The content of `userData` in a member's metadata, for the group leader. */
export interface Claim {
  readonly owned: readonly number[];
  readonly generation: number;
}

/** During an update members of several releases share a group; unknown versions count as empty claims. */
const VERSION = 1;

const NOTHING: Claim = { owned: [], generation: 0 };

export function encodeClaim({ owned, generation }: Claim): Buffer {
  return Buffer.from(JSON.stringify({ version: VERSION, generation, owned }));
}

/** Treats an unreadable claim as empty, so that the member gets a share as if it were new. */
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
