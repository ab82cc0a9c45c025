/** The bytes are invalid, so retrying is useless. */
export class Undecodable extends Error {
  override readonly name = 'Undecodable';
}
