import { serve } from '../processes/remote.js';
import { receiver } from './receiver.js';

/** What the receiver's process can be asked. */
export type ReceiverCalls = {
  listen(addresses: readonly string[]): Promise<string[]>;
  hurry(): void;
  save(file: string): void;
};

/** POSTs so far, by group. */
export type ReceiverNotice = Readonly<Record<string, number>>;

const TELL_EVERY_MS = 20;

const { listen, hurry, save, counts } = receiver();
const tell = serve<ReceiverNotice>({ listen, hurry, save } satisfies ReceiverCalls);
let told = '';
setInterval(() => {
  const now = JSON.stringify(counts());
  if (now === told) return;
  told = now;
  tell(counts());
}, TELL_EVERY_MS);
