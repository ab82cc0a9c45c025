interface EventOfWorkspace {
  readonly eventId: string;
  readonly workspaceId: string;
}

/** The key of what is stored for an event: producers on Kafka may send an event to several workspaces under one identifier. */
export function eventKey({ eventId, workspaceId }: EventOfWorkspace): string {
  return `${eventId} ${workspaceId}`;
}
