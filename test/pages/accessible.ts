import assert from 'node:assert/strict';
import axe from 'axe-core';
import type { Page } from 'playwright-core';

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}

/** Check that axe-core finds nothing on a page as it is now, in light and in dark; `what` names it in a fault. */
export async function assertAccessible(page: Page, what: string): Promise<void> {
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(axe.source);
  // A colour that is still changing has any contrast.
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const { violations } = await page.evaluate<{ readonly violations: readonly Violation[] }>(
      "axe.run({ resultTypes: ['violations'] })",
    );
    const problems = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
    assert.deepEqual(problems, [], `${colorScheme} ${what}`);
  }
}
