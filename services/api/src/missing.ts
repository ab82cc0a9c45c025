import type { Database } from '@postrider/shared/mongo/connect';
import { isDatabaseAway } from '@postrider/shared/mongo/database-away';
import { checkMongoSchema } from '@postrider/shared/mongo/migrate';

/** What the service lacks before it can work. An absent broker is no lack: the outbox waits for it. */
export function missing(database: Database) {
  return async (): Promise<readonly string[]> => {
    try {
      await checkMongoSchema(database);
      return [];
    } catch (error) {
      if (isDatabaseAway(error)) return ['the database cannot be reached'];
      return [error instanceof Error ? error.message : String(error)];
    }
  };
}
