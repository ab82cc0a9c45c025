import { Refusal } from '../domain/refusal.js';

/** Maximum size of the request bodies of a process together, or of its large answers, in bytes. */
const MAX_BYTES = 64 * 1_024 * 1_024;
/** The share of it that one owner may use. */
const SHARE = 1 / 4;

/** Limits the memory for request bodies or for answers, until their requests end. */
export interface ByteBudget {
  /**
   * @param owner the workspace of the request, or one name for all requests without a workspace
   * @returns a function that gives the bytes back; call it once
   * @throws Refusal `Unavailable` if the owner, or all owners together, would exceed their maximum
   */
  reserve(owner: string, bytes: number): () => void;
  /** Like `reserve`, for bytes that must not be refused: they are counted whether or not there is room. */
  count(owner: string, bytes: number): () => void;
  /** The bytes that are reserved now. */
  reserved(): number;
}

/** @param onRefused called for each reservation for which there is no room */
export function createByteBudget(maxBytes = MAX_BYTES, onRefused: () => void = () => {}): ByteBudget {
  let reserved = 0;
  const byOwner = new Map<string, number>();
  const add = (owner: string, bytes: number) => {
    reserved += bytes;
    const ofOwner = (byOwner.get(owner) ?? 0) + bytes;
    if (ofOwner === 0) byOwner.delete(owner);
    else byOwner.set(owner, ofOwner);
  };
  const count = (owner: string, bytes: number) => {
    add(owner, bytes);
    return () => add(owner, -bytes);
  };
  return {
    count,
    reserve(owner, bytes) {
      const isOwnerFull = (byOwner.get(owner) ?? 0) + bytes > maxBytes * SHARE;
      if (isOwnerFull || reserved + bytes > maxBytes) {
        onRefused();
        const where = isOwnerFull ? "that share this request's limit" : 'of all callers together';
        throw new Refusal('Unavailable', `The requests in progress ${where} have too many bytes. Try again.`);
      }
      return count(owner, bytes);
    },
    reserved: () => reserved,
  };
}
