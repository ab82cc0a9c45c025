import { type ReactNode, useState } from 'react';
import { Button, type ButtonProps } from './button.js';
import { Dialog } from './dialog.js';

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
 * A button with a dialog that creates a value and shows it once. The dialog cannot be closed while the value is created: the
 * answer has its only copy.
 */
export function OneTimeDialogButton<Value>({
  look = 'plain',
  label,
  mutation: { data, isPending, reset },
  form,
  children,
}: OneTimeDialogButtonProps<Value>) {
  const [isOpen, setOpen] = useState(false);
  const close = () => {
    setOpen(false);
    reset();
  };
  return (
    <>
      <Button look={look} onPress={() => setOpen(true)}>
        {label}
      </Button>
      {isOpen && (
        <Dialog title={label} onClose={isPending ? null : close} showsOnce={data !== undefined}>
          {data === undefined ? form : children(data)}
        </Dialog>
      )}
    </>
  );
}
