import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NumberFormats } from './number-format.ts';

// What Excel and LibreOffice show, but for dates in digits, which are those of ISO 8601.
const shown: readonly (readonly [value: number, code: string, text: string])[] = [
  [45337, 'yyyy\\-mm\\-dd', '2024-02-15'],
  [45337, 'dd/mm/yyyy', '2024-02-15'],
  [45337, 'm/d/yy;@', '2024-02-15'],
  [45337, 'yyyy"年"m"月"d"日"', '2024-02-15'],
  [45337, '[$-F800]dddd\\,\\ mmmm\\ dd\\,\\ yyyy', '2024-02-15'],
  [45337, 'd. mmmm yyyy', '15. February 2024'],
  [45337, '[$-407]d. MMMM yyyy', '15. Februar 2024'],
  [45337, '[$-fr-FR]dddd d mmmm yyyy', 'jeudi 15 février 2024'],
  [45337, 'mmm-yy', 'Feb-24'],
  [45337, 'yyyy', '2024'],
  [45338.5, 'dd.mm.yyyy hh:mm', '2024-02-16 12:00'],
  [45337.123, 'yyyy-mm-dd\\Thh:mm:ss.000', '2024-02-15 02:57:07'],
  [1, 'yyyy-mm-dd', '1900-01-01'],
  [61, 'yyyy-mm-dd', '1900-03-01'],
  [-3, 'yyyy-mm-dd', '-3'],
  [3_000_000, 'yyyy-mm-dd', '3000000'],
  [0.573, 'h:mm AM/PM', '1:45 PM'],
  [0.75, 'hh"h"mm', '18h00'],
  [1.26, '[h]:mm', '30:14'],
  [1.26, '[m]:ss', '1814:24'],
  [-0.5, '[h]:mm:ss', '-12:00:00'],
  [0.0006944, 'mm:ss.0', '01:00.0'],
  [0.12345, '0%', '12%'],
  [0.12345, '0.00%', '12.35%'],
  [1_234_567.891, '#,##0.00', '1,234,567.89'],
  [-1234.5, '#,##0.00;[Red](#,##0.00)', '(1,234.50)'],
  [0, '#,##0;-#,##0;"-"', '-'],
  [1067, '00000', '01067'],
  [3_015_551_234, '(###) ###-####', '(301) 555-1234'],
  [5, '0 "kg"', '5 kg'],
  [1234.5, '#,##0.00\\ [$€-407]', '1,234.50 €'],
  [1_500_000, '0.0,,"M"', '1.5M'],
  [12_345.678, '0.00E+00', '1.23E+04'],
  [1.005, '0.00', '1.01'],
  [0.5, '# ?/?', '0.5'],
  [5, '[<1]"low";[>=1]"high"', 'high'],
  [5, ';;;', '5'],
  [3.1, 'General" m"', '3.1 m'],
  [0.1 + 0.2, 'General', '0.3'],
];

test('numbers are shown as their formats say, serial numbers of days as dates', () => {
  const formats = new NumberFormats();
  for (const [at, [value, code, text]] of shown.entries()) {
    formats.define(200 + at, code);
    assert.equal(formats.shown(value, 200 + at), text, `${value} ${code}`);
  }
});

test('formats without a code, and days from 1904', () => {
  const formats = new NumberFormats();
  const of = (value: number, ids: readonly number[]) => ids.map((id) => formats.shown(value, id));
  assert.deepEqual(of(45337.25, [0, 9, 14, 20, 22, 30, 49, 57]), [
    '45337.25',
    '4533725%',
    '2024-02-15',
    '6:00',
    '2024-02-15 06:00',
    '2024-02-15',
    '45337.25',
    '2024-02-15',
  ]);
  formats.from1904 = true;
  assert.equal(formats.shown(43875, 14), '2024-02-15');
});
