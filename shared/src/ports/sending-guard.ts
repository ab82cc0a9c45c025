/** Whether sending is held: the dispatchers found that their own network fails, so nothing is sent for now. */
export interface SendingGuard {
  isHeld(): Promise<boolean>;
}
