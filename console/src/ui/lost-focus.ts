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

/**
 * Keeps the focus of a button that is disabled or removed because it was pressed: it gets the focus again when it is enabled,
 * and what is around it when it is gone.
 *
 * @returns a function to call when the button is pressed
 */
export function useKeptFocus(button: RefObject<HTMLButtonElement | null>, isDisabled: boolean): () => void {
  const wasPressed = useRef(false);
  const hasLostFocus = useRef(false);
  useLayoutEffect(() => {
    const isLost = document.activeElement === document.body;
    if (isDisabled) {
      // The browser has already taken the focus from it.
      hasLostFocus.current = wasPressed.current && isLost;
      wasPressed.current = false;
    } else if (hasLostFocus.current) {
      hasLostFocus.current = false;
      if (isLost) button.current?.focus({ preventScroll: true });
    }
  }, [button, isDisabled]);
  useLayoutEffect(() => {
    const element = button.current;
    return () => {
      if (hasLostFocus.current || wasPressed.current) focusIfLost(placesAround(element));
    };
  }, [button]);
  return () => {
    wasPressed.current = true;
  };
}

/** Gives the focus to the content of the page when a dialog ends and what opened it is gone. */
export function useFocusAfter(): void {
  useLayoutEffect(() => () => focusIfLost([]), []);
}
