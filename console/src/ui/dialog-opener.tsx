import { type ReactNode, useState } from 'react';
import { Button, type ButtonProps } from './button.js';

interface DialogOpenerProps extends Pick<ButtonProps, 'look' | 'isDisabled' | 'aria-label'> {
  /** The text of the button. */
  readonly label: ReactNode;
  /** The dialog, which is created anew each time it opens. */
  children(close: () => void): ReactNode;
}

/** A button that opens a dialog. */
export function DialogOpener({ label, children, ...button }: DialogOpenerProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button {...button} onPress={() => setOpen(true)}>
        {label}
      </Button>
      {isOpen && children(() => setOpen(false))}
    </>
  );
}
