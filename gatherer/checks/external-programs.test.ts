import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { externalPrograms } from './external-programs.ts';

test('outer tools are present where they can be run, and absent elsewhere', () => {
  const folder = mkdtempSync(join(tmpdir(), 'garner-tools-'));
  try {
    for (const [name, mode] of [
      ['gs', 0o755],
      ['git', 0o644],
    ] as const) {
      writeFileSync(join(folder, name), '');
      chmodSync(join(folder, name), mode);
    }
    const present = (path: string) =>
      externalPrograms(path).flatMap((tool) => (tool.present ? [tool.name] : []));
    assert.deepEqual(present(folder), ['gs']);
    assert.deepEqual(present(''), []);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
