import type { Command } from 'commander';
import { examples } from './examples.js';
import { rotateEncryptionKey } from './rotate-encryption-key.js';
import type { Surroundings } from './surroundings.js';

export function addRotation(program: Command, { env, terminal }: Surroundings): void {
  program
    .command('rotate-encryption-key')
    .description(
      're-encrypts every stored secret with the first key of ENCRYPTION_KEYS, while the services run',
    )
    .option('--dry-run', 'only print how many secrets each key encrypts')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      [
        '',
        'Every process must have the new key before any of them encrypts with it: see "Rotating the encryption key" in',
        'docs/operating.md. Reports when the old key may be removed; exits with 1 while it is still needed.',
        examples('admin rotate-encryption-key --dry-run', 'admin rotate-encryption-key'),
      ].join('\n'),
    )
    .action((options) => rotateEncryptionKey(env, options, terminal));
}
