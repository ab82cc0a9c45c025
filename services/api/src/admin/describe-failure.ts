import { CatalogueChanged } from '@postrider/shared/mongo/catalogue-store';
import { isDatabaseAway } from '@postrider/shared/mongo/database-away';
import { isDatabaseRefusal } from '@postrider/shared/mongo/database-refuses';
import { ConfigurationError } from '@postrider/shared/runtime/config';
import { NotReachable } from '@postrider/shared/runtime/retry-until';
import { Refusal } from '../domain/refusal.js';
import { ProblemsFound } from './errors.js';

/** Errors whose message says what to do. */
const EXPLAINED = [ConfigurationError, NotReachable, Refusal, ProblemsFound, CatalogueChanged];

/** Why a command failed. An unexpected error is described with its stack. */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return `error: ${error}`;
  if (EXPLAINED.some((errorClass) => error instanceof errorClass)) return `error: ${error.message}`;
  if (isDatabaseAway(error)) return `error: the connection to MongoDB was lost: ${error.message}`;
  if (isDatabaseRefusal(error)) return `error: MongoDB: ${error.message}`;
  if (isKafkaError(error)) return `error: Kafka: ${error.message}`;
  return String(error.stack);
}

/** By name, because this folder may not import the client's class of all its errors. */
function isKafkaError({ name }: Error): boolean {
  return name.startsWith('KafkaJS');
}
