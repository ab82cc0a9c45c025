import type { ReactNode } from 'react';
import type { ButtonProps } from './button.js';
import { Dialog } from './dialog.js';
import { DialogOpener } from './dialog-opener.js';

interface DialogButtonProps extends Pick<ButtonProps, 'look' | 'isDisabled' | 'aria-label'> {
  /** The text of the button. */
  readonly label: ReactNode;
  /** The title of the dialog. */
  readonly title: string;
  /** The content of the dialog, which is created anew each time it opens. */
  readonly children: ReactNode | ((close: () => void) => ReactNode);
}

/** A button that opens a dialog which can be closed at any time. */
export function DialogButton({ title, children, ...button }: DialogButtonProps) {
  return (
    <DialogOpener {...button}>
      {(close) => (
        <Dialog title={title} onClose={close}>
          {typeof children === 'function' ? children(close) : children}
        </Dialog>
      )}
    </DialogOpener>
  );
}
