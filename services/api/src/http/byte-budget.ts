import { Refusal } from '../domain/refusal.js';

/** The size of those of requests without a workspace, which are small. It is added, so that they take nothing from workspaces. */
const WITHOUT_WORKSPACE = 1 / 16;
/** The share that one owner may use, if as much is still free without the reserve. */
const SHARE = 1 / 4;
/** The reserve for owners that use little, so that a few of the others leave room for them. */
const RESERVED = 1 / 4;
/** The share up to which an owner uses little. */
const LITTLE = 1 / 256;

/** Who uses the bytes of a request: its workspace, or its client where it has none. */
export type ByteOwner = { readonly workspaceId: string } | { readonly client: string };

/** Limits the memory for request bodies or for answers, until their requests end. */
export interface ByteBudget {
  /**
   * @returns a function that gives the bytes back; call it once
   * @throws Refusal `Unavailable` if the owner, or all owners of its kind together, would exceed their maximum
   */
  reserve(owner: ByteOwner, bytes: number): () => void;
  /** Like `reserve`, for bytes that must not be refused: they are counted whether or not there is room. */
  count(owner: ByteOwner, bytes: number): () => void;
  /** The bytes that are reserved now. */
  reserved(): number;
}

/** @param onRefused called for each reservation for which there is no room */
export function createByteBudget(maxBytes: number, onRefused: () => void = () => {}): ByteBudget {
  const workspaces = createShares(maxBytes);
  const clients = createShares(maxBytes * WITHOUT_WORKSPACE);
  const shareOf = (owner: ByteOwner) =>
    'client' in owner ? { shares: clients, id: owner.client } : { shares: workspaces, id: owner.workspaceId };
  const count = (owner: ByteOwner, bytes: number) => {
    const { shares, id } = shareOf(owner);
    shares.add(id, bytes);
    return () => shares.add(id, -bytes);
  };
  return {
    count,
    reserve(owner, bytes) {
      const { shares, id } = shareOf(owner);
      const full = shares.fullFor(id, bytes);
      if (full !== null) {
        onRefused();
        const where = full === 'owner' ? "that share this request's limit" : 'of all callers together';
        throw new Refusal('Unavailable', `The requests in progress ${where} have too many bytes. Try again.`);
      }
      return count(owner, bytes);
    },
    reserved: () => workspaces.total() + clients.total(),
  };
}

/** The bytes of several owners. */
function createShares(maxBytes: number) {
  let total = 0;
  const byOwner = new Map<string, number>();
  return {
    add(owner: string, bytes: number): void {
      total += bytes;
      const ofOwner = (byOwner.get(owner) ?? 0) + bytes;
      if (ofOwner === 0) byOwner.delete(owner);
      else byOwner.set(owner, ofOwner);
    },
    /** Whose share has no room for more bytes; null if there is room. */
    fullFor(owner: string, bytes: number): 'owner' | 'all' | null {
      const ofOwner = (byOwner.get(owner) ?? 0) + bytes;
      if (ofOwner > maxBytes * SHARE) return 'owner';
      const hasRoom =
        ofOwner > maxBytes * LITTLE
          ? ofOwner <= maxBytes * (1 - RESERVED) - total
          : bytes <= maxBytes - total;
      return hasRoom ? null : 'all';
    },
    total: () => total,
  };
}
