import { type Kubectl, untilRolledOut } from '../tools.js';

interface Rotation {
  readonly kubectl: Kubectl;
  readonly oldKey: string;
  readonly newKey: string;
}

const REMOVABLE = /may be removed from ENCRYPTION_KEYS everywhere/;

/** Replaces the encryption key by the commands of the operating guide. @throws Error if the old key is still needed */
export async function rotateEncryptionKey({ kubectl, oldKey, newKey }: Rotation): Promise<void> {
  await setKeys(kubectl, `${oldKey},${newKey}`);
  await setKeys(kubectl, `${newKey},${oldKey}`);
  const said = await kubectl.admin('rotate-encryption-key');
  if (!REMOVABLE.test(said)) throw new Error(`the old key is still needed: ${said}`);
  await setKeys(kubectl, newKey);
}

async function setKeys(kubectl: Kubectl, keys: string): Promise<void> {
  const patch = JSON.stringify({ stringData: { ENCRYPTION_KEYS: keys } });
  await kubectl('patch', 'secret', 'postrider-secrets', '--patch', patch);
  await kubectl('rollout', 'restart', 'deployment', '-l', 'app.kubernetes.io/name=postrider');
  await untilRolledOut(kubectl);
}
