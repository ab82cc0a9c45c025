import { eventually } from '@postrider/shared/testing/eventually';
import { expect } from 'chai';
import type { Page } from 'playwright-core';

/** Presses Escape until no dialog is open: a dialog ignores the key while it works, and until it has the focus. */
export async function closeDialog(page: Page): Promise<void> {
  await eventually(async () => {
    await page.keyboard.press('Escape');
    expect(await page.getByRole('dialog').count()).to.equal(0);
  });
}
