// Documents that loop, nest and grow.

/** Objects of a PDF (ISO 32000-1, 7.5) with a cross-reference table; `previous`: that table points to itself. */
function pdfOf(objects: readonly string[], previous: boolean): Buffer {
  let text = '%PDF-1.5\n';
  const begins = objects.map((object, at) => {
    const begin = text.length;
    text += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return begin;
  });
  const table = text.length;
  const rows = begins.map((begin) => `${String(begin).padStart(10, '0')} 00000 n \n`).join('');
  const loop = previous ? `/Prev ${table}` : '';
  const size = objects.length + 1;
  text += `xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${size} /Root 1 0 R ${loop} >>\n`;
  return Buffer.from(`${text}startxref\n${table}\n%%EOF\n`, 'latin1');
}

/** A page tree that contains itself twice. */
export function pdfOfLoopingPages(): Buffer {
  return pdfOf(
    [
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [2 0 R 3 0 R] /Count 100000 >>',
      '<< /Type /Pages /Kids [2 0 R 3 0 R] /Parent 3 0 R /Count 100000 >>',
    ],
    false,
  );
}

/** A cross-reference table whose predecessor is itself. */
export function pdfOfLoopingTables(): Buffer {
  return pdfOf(['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [] /Count 0 >>'], true);
}

/** Object streams that contain one another, and a length that is its own length. */
export function pdfOfLoopingStreams(): Buffer {
  const stream = (dictionary: string) =>
    `<< /Type /ObjStm /N 1 /First 4 ${dictionary} >>\nstream\n1 0 << /Type /Catalog >>\nendstream`;
  return pdfOf(
    [
      '<< /Type /Catalog /Pages 4 0 R /Extends 2 0 R >>',
      stream('/Length 24 /Extends 3 0 R'),
      stream('/Length 3 0 R /Extends 2 0 R'),
      '<< /Type /Pages /Kids [5 0 R] /Count 1 >>',
      '<< /Type /Page /Parent 4 0 R /Contents [3 0 R 2 0 R] /Resources 5 0 R >>',
    ],
    false,
  );
}

/** A page of so many bytes, of ordinary paragraphs and links. */
export function longPage(bytes: number): Buffer {
  const paragraph = '<p>Words of a <a href="page.html">long</a> page that somebody wrote, on and on.</p>\n';
  const body = Buffer.alloc(bytes, paragraph, 'latin1');
  return Buffer.concat([Buffer.from('<html><head><title>A long page</title></head><body>'), body]);
}

/** A page of so many elements inside one another. */
export function deepPage(levels: number): Buffer {
  const [open, close] = ['<div>'.repeat(levels), '</div>'.repeat(levels)];
  return Buffer.from(
    `<html><head><title>A deep page</title></head><body>${open}bottom${close}</body></html>`,
  );
}
