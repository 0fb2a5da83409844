// Widths of ASCII 32 to 126 in thousandths of the size, of the fonts every viewer has and files need not describe.
const helvetica =
  '278 278 355 556 556 889 667 222 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 278 278 584 ' +
  '584 584 556 1015 667 667 722 722 667 611 778 722 278 500 667 556 833 722 778 667 778 722 667 611 722 667 944 667 667 ' +
  '611 278 278 278 469 556 222 556 556 500 556 556 278 556 556 222 222 500 222 833 556 556 556 556 333 500 278 556 500 ' +
  '722 500 500 500 334 260 334 584';
const times =
  '250 333 408 500 500 833 778 333 333 333 500 564 250 333 250 278 500 500 500 500 500 500 500 500 500 500 278 278 564 ' +
  '564 564 444 921 722 667 667 722 611 556 722 722 333 389 722 611 889 722 722 556 722 667 556 611 722 722 944 722 722 ' +
  '611 333 278 333 469 500 333 444 500 444 500 444 333 500 500 278 278 500 278 778 500 500 500 500 333 389 278 500 500 ' +
  '722 500 500 444 480 200 480 541';

/** Widths in text units of a font that the file does not describe, by its name; other letters count half the size. */
export function standardWidths(fontName: string): Float64Array {
  const widths = new Float64Array(256).fill(0.5);
  if (/cour|mono|typewriter/i.test(fontName)) return widths.fill(0.6);
  const row = (/helv|arial|sans/i.test(fontName) ? helvetica : times).split(' ');
  for (const [at, width] of row.entries()) widths[32 + at] = Number(width) / 1000;
  return widths;
}
