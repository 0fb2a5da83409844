import { readDvipsText } from './dvips-text.ts';
import { readGroffText } from './groff-text.ts';
import { certainGap, PageWriter } from './page-writer.ts';
import { PostScriptScanner } from './scanner.ts';

/** The strings of a PostScript program, not run: exact for dvips and groff. `source` is Latin-1 text. */
export function readPlainPostScript(source: string, creator: string, maxCharacters: number): PageWriter {
  const prolog = /^%%(?:EndProlog|EndSetup|Page:)/m.exec(source)?.index ?? 0;
  const scanner = new PostScriptScanner(source, prolog);
  if (/dvips/i.test(creator)) return readDvipsText(source, scanner, maxCharacters);
  if (/groff|grops/i.test(creator)) return readGroffText(scanner, maxCharacters);
  return readOtherText(scanner, maxCharacters);
}

// Names that other programs give to operators that show strings; their definitions are not read.
const shows = /^(?:\w*show\w*|[sSTtjJ]|Tj|tj|TJ|sh|SH)$/;
const pageEnds = /^(?:showpage|EP|eop|page|copypage)$/;

function readOtherText(scanner: PostScriptScanner, maxCharacters: number): PageWriter {
  const writer = new PageWriter();
  let numbers: number[] = [];
  let text: string | undefined;
  for (let token = scanner.next(); token !== undefined; token = scanner.next()) {
    if (token.kind === 'number') {
      numbers.push(token.value);
      if (numbers.length > 64) numbers = numbers.slice(-8);
    } else if (token.kind === 'string') text = token.text;
    else if (token.kind === 'operator') {
      const { name } = token;
      if (/^(?:r?moveto|r?[mM]|mv|MT|rm)$/.test(name) && numbers.length >= 2) {
        const [x = 0, y = 0] = numbers.slice(-2);
        if (name.startsWith('r')) {
          writer.right(x);
          writer.up(y);
        } else writer.place(x, y);
        numbers = [];
      } else if (text !== undefined && shows.test(name)) {
        writer.show(text.replace(/[^\x20-\x7e\xa0-\xff]/g, ' '));
        writer.right(numbers.length > 0 ? certainGap * writer.size : 0);
        numbers = [];
      } else if (pageEnds.test(name)) {
        writer.endPage();
        if (writer.characters > maxCharacters) break;
      }
      text = undefined;
    }
  }
  writer.endPage();
  return writer;
}
