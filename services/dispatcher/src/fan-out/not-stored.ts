/** An event that was to be read again has been removed by the broker, with all others before `start`. */
export class NotStored extends Error {
  override readonly name = 'NotStored';

  /** @param start the first offset of the partition that is stored */
  constructor(readonly start: number) {
    super(`the partition starts at offset ${start}`);
  }
}
