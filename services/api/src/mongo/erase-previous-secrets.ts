import type { Collections } from '@postrider/shared/mongo/collections';

/** Erases the previous signing secrets whose grace period has ended. @returns their number */
export function createErasePreviousSecrets({ endpoints }: Pick<Collections, 'endpoints'>) {
  return async (now: Date): Promise<number> => {
    const { modifiedCount } = await endpoints.updateMany(
      { 'secrets.previous.expiresAt': { $type: 'date', $lte: now } },
      { $set: { 'secrets.previous': null } },
    );
    return modifiedCount;
  };
}
