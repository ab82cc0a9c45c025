import { serveParent } from '../processes/remote.js';
import { createReceiver } from './receiver.js';

/** The functions of the parent process. */
export interface ReceiverEvents {
  /** Receives the POSTs so far, by group. */
  counts(counts: Readonly<Record<string, number>>): void;
}

const REPORT_EVERY_MS = 20;

const counts: Record<string, number> = {};
const parent = serveParent<ReceiverEvents>(createReceiver(counts));
let reported = '';
setInterval(() => {
  const current = JSON.stringify(counts);
  if (current !== reported) void parent.counts.asEvent(counts);
  reported = current;
}, REPORT_EVERY_MS);
