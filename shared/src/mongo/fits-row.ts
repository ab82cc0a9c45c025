import { BSON } from 'mongodb';

/** The database stores documents of up to 16 MiB. One of them is left for the rest of a row: its attempts with their responses. */
const MAX_PAYLOAD_BYTES = 15 * 1_024 * 1_024;

/** Whether a row can have a payload. */
export function fitsRow(payload: object): boolean {
  return BSON.calculateObjectSize(payload) <= MAX_PAYLOAD_BYTES;
}
