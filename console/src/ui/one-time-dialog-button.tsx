import type { ReactNode } from 'react';
import type { ButtonProps } from './button.js';
import { Dialog } from './dialog.js';
import { DialogOpener } from './dialog-opener.js';
import { useLeaveGuard } from './use-leave-guard.js';

interface OneTimeDialogButtonProps<Value> extends Pick<ButtonProps, 'look'> {
  /** The text of the button, and the title of the dialog. */
  readonly label: string;
  /** Creates the value. */
  readonly mutation: {
    readonly data: Value | undefined;
    readonly isPending: boolean;
    /** Forgets the value and the error. */
    reset(): void;
  };
  /** Asks for the value. It is created anew each time the dialog opens. */
  readonly form: ReactNode;
  /** Shows the value. */
  children(value: Value): ReactNode;
}

/**
 * A button with a dialog that creates a value and shows it once. The dialog cannot be closed while the value is created, and
 * leaving the page asks first: the answer has its only copy.
 */
export function OneTimeDialogButton<Value>({
  look = 'plain',
  label,
  mutation: { data, isPending, reset },
  form,
  children,
}: OneTimeDialogButtonProps<Value>) {
  useLeaveGuard(isPending);
  return (
    <DialogOpener look={look} label={label}>
      {(close) => {
        const closeAndForget = () => {
          close();
          reset();
        };
        return (
          <Dialog title={label} onClose={isPending ? null : closeAndForget} showsOnce={data !== undefined}>
            {data === undefined ? form : children(data)}
          </Dialog>
        );
      }}
    </DialogOpener>
  );
}
