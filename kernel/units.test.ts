import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { formatDuration, formatSize, parseDuration, parseSize } from './units.ts';

test('durations are read with their unit', () => {
  for (const [text, expected] of [
    ['10s', 10],
    ['5m', 300],
    ['2h', 7200],
    ['7d', 604_800],
    ['4w', 2_419_200],
    ['1.5h', 5400],
    ['500ms', 0.5],
    ['10 S', 10],
    ['0', 0],
    ['10', undefined],
    ['', undefined],
    ['s', undefined],
    ['-1s', undefined],
    ['1y', undefined],
    ['1h30m', undefined],
    ['1e3s', undefined],
    ['constructor', undefined],
    ['1constructor', undefined],
  ] as const)
    assert.equal(parseDuration(text), expected, text);
});

test('sizes are read in decimal and binary units', () => {
  for (const [text, expected] of [
    ['64KiB', 65_536],
    ['10MB', 10_000_000],
    ['512', 512],
    ['512B', 512],
    ['1.5gib', 1_610_612_736],
    ['0', 0],
    ['1.5', undefined],
    ['0.3KiB', undefined],
    ['9999999TiB', undefined],
    ['10 megabytes', undefined],
    ['MB', undefined],
  ] as const)
    assert.equal(parseSize(text), expected, text);
});

test('a formatted value reads back as the same value', () => {
  fc.assert(
    fc.property(fc.nat(10_000_000), (value) => {
      assert.equal(parseDuration(formatDuration(value)), value);
      assert.equal(parseSize(formatSize(value)), value);
      assert.equal(parseDuration(formatDuration(value / 1000)), value / 1000);
    }),
  );
  assert.equal(formatDuration(3600), '1h');
  assert.equal(formatSize(65_536), '64KiB');
});

test('any text is a value or undefined', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      assert.ok((parseDuration(text) ?? 0) >= 0);
      assert.ok((parseSize(text) ?? 0) >= 0);
    }),
  );
});
