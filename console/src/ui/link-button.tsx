import { createLink } from '@tanstack/react-router';
import type { ComponentProps } from 'react';
import { classNames } from './class-names.js';
import styles from './controls.module.css';

interface LookProps extends ComponentProps<'a'> {
  readonly look?: 'plain' | 'primary';
}

/** A link to a page of the console that looks like a button. */
export const LinkButton = createLink(({ look = 'plain', ...props }: LookProps) => (
  <a {...props} className={classNames(styles.button, look !== 'plain' && styles[look])} />
));
