/** Replaces the value of an expression; text is stored without it, and no address with it is one. */
const value = '\ufffe';

/** The mark of an address that a program completes. */
export const computed = '%EF%BF%BE';

const pageNames = /\.(?:asp|aspx|ascx|asmx|master|jsp|jspf|jspx|jsw|gsp|tag|rhtml|ejs|php[3-8]?|phtml|inc)$/i;

/** Whether a document is, by its name or first characters, a page with programs in it: ASP, JSP or PHP. */
export function isServerPage(name: string, start: string): boolean {
  return pageNames.test(name) || /^[\s\ufeff]{0,100}(?:<%[@!=-]?[\s\w-]|<\?(?:php|=)\s)/i.test(start);
}

/** A page without the programs in it, and without elements of programs in its title: `<% ... %>` of ASP and JSP, `<?php ... ?>` and `<?= ... ?>` of PHP. */
export function withoutServerCode(page: string): string {
  const opening = /<%|<\?(?:php\b|=|(?=\s))/gi;
  let rest = '';
  let at = 0;
  for (let found = opening.exec(page); found !== null; found = opening.exec(page)) {
    const start = found.index;
    const php = found[0].startsWith('<?');
    const inside = start + found[0].length;
    const end = php ? phpEnd(page, inside) : aspEnd(page, inside);
    // Code without an end is source; in the output of a program it is a mark within other text.
    if (end < 0) break;
    const expression = found[0] === '<?=' || (!php && /[=#:$]/.test(page.charAt(inside)));
    // ASP.NET's directive has the title of a page whose frame is elsewhere.
    const title = php ? undefined : directive.exec(page.slice(inside, Math.min(end, inside + 4096)))?.[2];
    rest +=
      page.slice(at, start) +
      (expression ? value : title === undefined ? `${value} ` : `<title>${title}</title>`);
    at = end;
    opening.lastIndex = end;
  }
  return withPlainTitle(rest + page.slice(at));
}

function withPlainTitle(page: string): string {
  const start = page.search(/<title\b/i);
  const length = start < 0 ? -1 : page.slice(start, start + 4096).search(/<\/title/i);
  if (length < 0) return page;
  const end = start + length;
  return page.slice(0, start) + page.slice(start, end).replace(actionTag, value) + page.slice(end);
}

/** An element that a tag library of JSP or a control of ASP.NET replaces. */
const actionTag = /<\/?[a-z]\w{0,30}:[^<>]{0,500}>/gi;

const directive = /^@\s*Page\b(?:[^"']|"[^"]*"|'[^']*')*?\bTitle\s*=\s*(["'])([^"'<]+)\1/i;

function aspEnd(page: string, inside: number): number {
  // A comment may have other code in it.
  return after(page, page.startsWith('--', inside) ? '--%>' : '%>', inside);
}

const phpPart = /\?>|'|"|`|\/\*|\/\/|#(?!\[)|<<<[ \t]*(['"]?)([A-Za-z_]\w{0,80})\1/g;

/** Where a piece of PHP ends: an end mark within quotation marks or a long comment is none. */
function phpEnd(page: string, inside: number): number {
  phpPart.lastIndex = inside;
  for (let found = phpPart.exec(page); found !== null; found = phpPart.exec(page)) {
    const [sign, , label] = found;
    if (sign === '?>') return phpPart.lastIndex;
    const next = partEnd(page, phpPart.lastIndex, sign, label);
    if (next < 0) return page.length;
    phpPart.lastIndex = next;
  }
  return page.length;
}

function partEnd(page: string, from: number, sign: string, label: string | undefined): number {
  if (label !== undefined) {
    const at = page.indexOf(`\n${label}`, from);
    if (at >= 0) return at + label.length + 1;
    const indented = new RegExp(`\\n[ \\t]{1,40}${label}\\b`, 'g');
    indented.lastIndex = from;
    return indented.exec(page) === null ? -1 : indented.lastIndex;
  }
  if (sign === '/*') return after(page, '*/', from);
  if (sign === '//' || sign === '#') {
    // A comment of one line ends before the end mark.
    const end = /\?>|\n/g;
    end.lastIndex = from;
    return end.exec(page)?.index ?? -1;
  }
  for (let at = page.indexOf(sign, from); at >= 0; at = page.indexOf(sign, at + 1)) {
    let slashes = 0;
    while (at - slashes > from && page.charAt(at - slashes - 1) === '\\') slashes++;
    if (slashes % 2 === 0) return at + 1;
  }
  return -1;
}

function after(page: string, mark: string, from: number): number {
  const at = page.indexOf(mark, from);
  return at < 0 ? -1 : at + mark.length;
}
