import { startContainers } from './containers/start-containers.js';
import { useExternal } from './external.js';
import { startNative } from './native/start-native.js';
import { PROVIDERS, type ProviderName, type Stack, type StackOptions, Unavailable } from './stack.js';

type Start = (options: StackOptions) => Promise<Stack>;

const STARTERS: Readonly<Record<ProviderName, Start>> = {
  external: useExternal,
  containers: startContainers,
  native: startNative,
};

/**
 * Starts (or finds) Kafka, MongoDB and a schema registry, and resolves when all three answer.
 *
 * Providers are tried in the order of `PROVIDERS` until one is available. If this process is killed, what was started ends
 * within seconds.
 * @throws Error that describes the three ways to get a stack, and why each failed, when none is available
 */
export async function startStack(options: StackOptions, starters = STARTERS): Promise<Stack> {
  if (options.provider !== undefined) return startOnly(options.provider, options, starters);
  const reasons: Refused[] = [];
  for (const provider of PROVIDERS) {
    try {
      return await starters[provider](options);
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      reasons.push({ provider, reason: error.message });
      if (error.visibility === 'report') options.report(`Not using ${provider}: ${error.message}`);
    }
  }
  throw new Error(explainNoStack(reasons));
}

interface Refused {
  readonly provider: ProviderName;
  readonly reason: string;
}

async function startOnly(
  provider: ProviderName,
  options: StackOptions,
  starters: typeof STARTERS,
): Promise<Stack> {
  try {
    return await starters[provider](options);
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    throw new Error(`The ${provider} stack cannot run here: ${error.message}`, { cause: error });
  }
}

const WAYS: Readonly<Record<ProviderName, string>> = {
  external: 'servers that run already: set KAFKA_BROKERS, MONGODB_URI and SCHEMA_REGISTRY_URL',
  containers: 'Docker: install it and start its daemon',
  native: 'plain processes: install Java 17 or newer, Maven and pip (Linux or macOS)',
};

/** The error when no provider is available. */
export function explainNoStack(reasons: readonly Refused[]): string {
  const lines = PROVIDERS.map((provider, index) => {
    const reason = reasons.find((refused) => refused.provider === provider)?.reason ?? 'not tried';
    return `  ${index + 1}. ${provider}: ${WAYS[provider]}\n     not possible here: ${reason}`;
  });
  return [
    'Postrider needs Kafka, MongoDB and a schema registry, and found no way to get them. Three ways:',
    ...lines,
  ].join('\n');
}
