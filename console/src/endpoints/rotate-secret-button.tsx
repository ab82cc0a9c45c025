import type { components } from '@postrider/client';
import { useQueryClient } from '@tanstack/react-query';
import { useClient } from '../session/use-client.js';
import { useRepeatableMutation } from '../session/use-repeatable.js';
import { texts } from '../texts/en.js';
import { Button } from '../ui/button.js';
import { Countdown } from '../ui/countdown.js';
import { ErrorPanel } from '../ui/error-panel.js';
import { OneTimeDialogButton } from '../ui/one-time-dialog-button.js';
import { OneTimeValue } from '../ui/one-time-value.js';
import type { EndpointProps } from './show-endpoint.js';

type Rotated = components['schemas']['RotatedSecret'] | components['schemas']['RotatedKey'];

/** Creates a new signing secret and shows it once. */
export function RotateSecretButton({ endpoint: { id } }: EndpointProps) {
  const client = useClient();
  const queries = useQueryClient();
  const mutation = useRepeatableMutation({
    send: ({ header }) =>
      client.post('/webhooks/{endpointId}/rotate-secret', { params: { path: { endpointId: id }, header } }),
    // The endpoint's page shows until when the previous secret is valid, and the public key. The secret does not wait for that.
    onSuccess: () => void queries.invalidateQueries({ queryKey: ['endpoint', id] }),
  });
  const { mutate, error, isPending } = mutation;
  return (
    <OneTimeDialogButton
      label={texts.endpoints.rotate}
      mutation={mutation}
      form={
        <>
          <p>{texts.endpoints.rotateHint}</p>
          {error !== null && <ErrorPanel error={error} />}
          <Button look="primary" isDisabled={isPending} onPress={() => mutate()}>
            {texts.endpoints.rotate}
          </Button>
        </>
      }
    >
      {(rotated) => <RotatedKey {...shownKey(rotated)} />}
    </OneTimeDialogButton>
  );
}

interface ShownKey {
  readonly hint: string;
  readonly text: string;
  readonly copyLabel: string;
  /** Whether the page of the endpoint shows it, too. */
  readonly isKept: boolean;
  readonly previousEnds: string;
  readonly previousUntil: string;
}

function shownKey(rotated: Rotated): ShownKey {
  if ('secret' in rotated)
    return {
      hint: texts.endpoints.secretOnce,
      text: rotated.secret,
      copyLabel: texts.endpoints.copySecret,
      isKept: false,
      previousEnds: texts.endpoints.previousEnds,
      previousUntil: rotated.previousSecretExpiresAt,
    };
  const { publicKey, previousKeyExpiresAt } = rotated;
  return {
    hint: texts.endpoints.publicKey,
    text: publicKey,
    copyLabel: texts.endpoints.copyPublicKey,
    isKept: true,
    previousEnds: texts.endpoints.previousKeyEnds,
    previousUntil: previousKeyExpiresAt,
  };
}

function RotatedKey({ hint, text, copyLabel, isKept, previousEnds, previousUntil }: ShownKey) {
  return (
    <>
      <p>{hint}</p>
      <OneTimeValue value={text} label={copyLabel} isKept={isKept} />
      <p>
        {previousEnds} <Countdown at={previousUntil} />
      </p>
    </>
  );
}
