import { pageMark, type RunningText } from '../../text/index.ts';

// A header's codes: a font in quotation marks, a colour, a size, a letter; a letter begins one of three parts, counts
// pages, or names the file, sheet, date or time.
const codes = /&(?:"[^"]*"?|K[\dA-F]{6}|\d{1,3}|(.))/gis;

/** Take the header or footer of a printed sheet as lines, its codes undone (ISO/IEC 29500-1 section 18.3.1.39). */
export function addPrinted(code: string, running: RunningText): void {
  const text = code.slice(0, 4096).replace(codes, (_, letter: string | undefined) => {
    switch (letter?.toUpperCase()) {
      case '&':
        return '&';
      case 'L':
      case 'C':
      case 'R':
        return '\n';
      case 'P':
      case 'N':
        return pageMark;
      case 'A':
      case 'D':
      case 'F':
      case 'T':
      case 'Z':
        return ' ';
      default:
        return '';
    }
  });
  running.lines(text);
}
