const UNAUTHORIZED = 401;
const FORBIDDEN = 403;

/** What keeps the schema registry from serving us, with what to look at; the error's own words where they say enough. */
export function explainRegistry(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const status = statusOf(error);
  if (status === UNAUTHORIZED)
    return 'it refuses the login: check SCHEMA_REGISTRY_USERNAME and SCHEMA_REGISTRY_PASSWORD';
  if (status === FORBIDDEN)
    return 'it does not let this login do this: let SCHEMA_REGISTRY_USERNAME read subjects, and whoever migrates write them and their compatibility';
  if (/certificate|altname/i.test(message))
    return `its certificate is not trusted: check SCHEMA_REGISTRY_CA_FILE (${message})`;
  return message;
}

/** The registry's answer where an error carries one, also beneath what the library made of it. */
export function statusOf(error: unknown): unknown {
  for (let cause = error; typeof cause === 'object' && cause !== null; cause = (cause as Error).cause) {
    if ('status' in cause) return cause.status;
  }
  return undefined;
}
