import { type RefObject, useLayoutEffect, useRef } from 'react';

/** What can take the focus around an element, from the inside to the outside. The last one is the content of the page. */
function placesAround(element: Element | null): readonly HTMLElement[] {
  const around = element?.parentElement?.closest<HTMLElement>('[tabindex]') ?? null;
  return around === null ? [] : [around, ...placesAround(around)];
}

/** A dialog that closes gives the focus back within a frame. */
function focusIfLost(places: readonly HTMLElement[]): void {
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      if (document.activeElement !== document.body) return;
      const place = places.find(({ isConnected }) => isConnected) ?? document.getElementById('main');
      place?.focus({ preventScroll: true });
    }),
  );
}

const DIALOG = '[role="dialog"], [role="alertdialog"]';

/** Whether an element is outside a button and outside the dialogs that it may have opened. */
function isElsewhere(button: Element, element: EventTarget | null): boolean {
  if (!(element instanceof Element) || button.contains(element)) return false;
  const dialog = element.closest(DIALOG);
  return dialog === null || dialog.contains(button);
}

/**
 * Calls back when the user turns to something else than a button: focuses or presses it.
 *
 * @returns a function that ends this
 */
function whenElsewhere(button: Element, forget: () => void): () => void {
  const controller = new AbortController();
  const check = ({ target }: Event) => {
    if (isElsewhere(button, target)) forget();
  };
  for (const type of ['focusin', 'pointerdown'])
    document.addEventListener(type, check, { capture: true, signal: controller.signal });
  return () => controller.abort();
}

/**
 * Keeps the focus of a button that is disabled or removed because it was pressed: it gets the focus again when it is enabled,
 * and what is around it when it is gone. A press is forgotten once the user turns to something else than the button or a dialog.
 *
 * @returns a function to call when the button is pressed
 */
export function useKeptFocus(button: RefObject<HTMLButtonElement | null>, isDisabled: boolean): () => void {
  const wasPressed = useRef(false);
  const hasLostFocus = useRef(false);
  const stopWatching = useRef(() => {});
  const forget = () => {
    stopWatching.current();
    wasPressed.current = false;
    hasLostFocus.current = false;
  };
  useLayoutEffect(() => {
    const isLost = document.activeElement === document.body;
    if (isDisabled) {
      // The browser has already taken the focus from it.
      hasLostFocus.current = wasPressed.current && isLost;
      wasPressed.current = false;
    } else if (hasLostFocus.current) {
      stopWatching.current();
      hasLostFocus.current = false;
      if (isLost) button.current?.focus({ preventScroll: true });
    }
  }, [button, isDisabled]);
  useLayoutEffect(() => {
    const element = button.current;
    return () => {
      stopWatching.current();
      if (hasLostFocus.current || wasPressed.current) focusIfLost(placesAround(element));
    };
  }, [button]);
  return () => {
    forget();
    wasPressed.current = true;
    if (button.current !== null) stopWatching.current = whenElsewhere(button.current, forget);
  };
}

/** Gives the focus to the content of the page when a dialog ends and what opened it is gone. */
export function useFocusAfter(): void {
  useLayoutEffect(() => () => focusIfLost([]), []);
}
