import { type ReactNode, useState } from 'react';
import { Button, type ButtonProps } from './button.js';
import { Dialog } from './dialog.js';

interface DialogButtonProps extends Pick<ButtonProps, 'look' | 'isDisabled' | 'aria-label'> {
  /** The text of the button. */
  readonly label: ReactNode;
  /** The title of the dialog. */
  readonly title: string;
  /** The content of the dialog, which is created anew each time it opens. */
  readonly children: ReactNode | ((close: () => void) => ReactNode);
}

/** A button that opens a dialog. */
export function DialogButton({ label, title, children, ...button }: DialogButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button {...button} onPress={() => setOpen(true)}>
        {label}
      </Button>
      {isOpen && (
        <Dialog title={title} onClose={close}>
          {typeof children === 'function' ? children(close) : children}
        </Dialog>
      )}
    </>
  );
}
