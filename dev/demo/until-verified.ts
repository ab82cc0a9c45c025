import { poll } from '../processes/poll.js';

export const POLLING = { everyMs: 50, timeoutMs: 30_000 };

/** Waits until the demo's receiver has verified a delivery. */
export async function untilVerified(receiverUrl: string, deliveryId: string): Promise<void> {
  const probe = async (): Promise<true | undefined> => {
    const answer = await fetch(`${receiverUrl}/deliveries`);
    const { items } = (await answer.json()) as { items: { id: string; verified: boolean }[] };
    return items.some(({ id, verified }) => id === deliveryId && verified) || undefined;
  };
  await poll(probe, { ...POLLING, what: `the verification of ${deliveryId}` });
}
