import type { Page } from 'playwright-core';

/** The names of tables that are wider than their place. */
export const cutTables = (page: Page) =>
  page
    .locator('main section:has(> table)')
    .evaluateAll((tables) =>
      tables
        .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
        .map((table) => `${table.ariaLabel}: ${table.scrollWidth} of ${table.clientWidth} px`),
    );
