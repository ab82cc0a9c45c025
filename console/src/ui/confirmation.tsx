import { useMutation } from '@tanstack/react-query';
import { Button } from './button.js';
import { ErrorPanel } from './error-panel.js';

interface ConfirmationProps {
  readonly hint: string;
  /** The text of the button. */
  readonly label: string;
  /** Sends the request. */
  send(): Promise<unknown>;
  onSuccess(): void;
}

/** The content of a dialog that sends a request once it is confirmed. It begins anew, without the last error, when the dialog opens. */
export function Confirmation({ hint, label, send, onSuccess }: ConfirmationProps) {
  const { mutate, error, isPending } = useMutation({ mutationFn: send, onSuccess });
  return (
    <>
      <p>{hint}</p>
      {error !== null && <ErrorPanel error={error} />}
      <div>
        <Button look="danger" isDisabled={isPending} onPress={() => mutate()}>
          {label}
        </Button>
      </div>
    </>
  );
}
