const UNAUTHORIZED = 401;
const FORBIDDEN = 403;
/** The client reports a registry without a response as one with this status. */
const WITHOUT_RESPONSE =
  /status 400: (.*(?:ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|E(?:HOST|NET)UNREACH|hang up|Timeout).*)/i;

/** Why a successful response is of no use, such as the page of a proxy. */
export const NO_REGISTRY = 'its answer is not that of a schema registry: check SCHEMA_REGISTRY_URL';

/** Explains an error of the schema registry and what to check. Returns its own message if that is clear enough. */
export function explainRegistry(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const status = statusOf(error);
  if (status === UNAUTHORIZED)
    return 'it rejects the login: check SCHEMA_REGISTRY_USERNAME and SCHEMA_REGISTRY_PASSWORD';
  if (status === FORBIDDEN)
    return 'it does not authorize this login: allow SCHEMA_REGISTRY_USERNAME to read subjects, and the login of migrations to write them and their compatibility';
  if (/certificate|altname/i.test(message))
    return `its certificate is not trusted: check SCHEMA_REGISTRY_CA_FILE (${message})`;
  const [, reason] = WITHOUT_RESPONSE.exec(message) ?? [];
  return reason === undefined ? message : `it does not respond: ${reason}`;
}

/** The HTTP status of an error or of one of its causes. */
export function statusOf(error: unknown): unknown {
  for (let cause = error; typeof cause === 'object' && cause !== null; cause = (cause as Error).cause) {
    if ('status' in cause) return cause.status;
  }
  return undefined;
}
