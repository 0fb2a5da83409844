// Tokens that a table of marks cannot describe. Each function looks at the token that may begin at `at` and
// returns its end, or undefined when there is none. None reads further than its token, or one line.

const maxLine = 4096;
const maxNested = 256;

/** A regular expression of JavaScript: after a sign or keyword that no operand ends, closed on the same line. */
export function regexEnd(text: string, at: number): number | undefined {
  let back = at - 1;
  while (back >= 0 && at - back < 100 && (text.charCodeAt(back) === 32 || text.charCodeAt(back) === 9))
    back--;
  const before = back < 0 ? '\n' : text.charAt(back);
  // After `<` it is the end tag of an element written in the code.
  if (/[\w$)\]}"'`<]/.test(before)) {
    const word = /\b(?:return|typeof|case|of|in|do|else|void|delete|throw|yield|await)$/;
    if (!word.test(text.slice(Math.max(0, back - 8), back + 1))) return undefined;
  }
  let inClass = false;
  let end = at + 1;
  // An unclosed token takes its line, so that no character is read twice.
  for (; end < text.length && end - at < maxLine; end++) {
    const code = text.charCodeAt(end);
    if (code === 10) return end;
    if (code === 92) end++;
    else if (code === 91) inClass = true;
    else if (code === 93) inClass = false;
    else if (code === 47 && !inClass) return end + 1;
  }
  return Math.min(end, text.length);
}

/** A template of JavaScript with the expressions in it, which may hold templates. */
export function templateEnd(text: string, at: number): number {
  // Open braces of each expression around the current template; -1 is the template itself.
  const open: number[] = [-1];
  for (let end = at + 1; end < text.length; end++) {
    const code = text.charCodeAt(end);
    const top = open.at(-1) ?? -1;
    if (code === 92) end++;
    else if (top < 0) {
      if (code === 96) {
        open.pop();
        if (open.length === 0) return end + 1;
      } else if (code === 36 && text.charCodeAt(end + 1) === 123) {
        if (open.length >= maxNested) return text.length;
        open.push(0);
        end++;
      }
    } else if (code === 39 || code === 34) end = quoteEnd(text, end, code);
    else if (code === 96) open.push(-1);
    else if (code === 123) open[open.length - 1] = top + 1;
    else if (code === 125) {
      if (top === 0) open.pop();
      else open[open.length - 1] = top - 1;
    }
  }
  return text.length;
}

/** The end of a one-line string, or of its line. */
function quoteEnd(text: string, at: number, quote: number): number {
  for (let end = at + 1; end < text.length; end++) {
    const code = text.charCodeAt(end);
    if (code === 92) end++;
    else if (code === quote || code === 10) return end;
  }
  return text.length;
}

/** A raw string of C++ (`R"x(...)x"`) or Rust (`r#"..."#`). */
export function rawStringEnd(text: string, at: number): number | undefined {
  if (/\w/.test(text.charAt(at - 1)) && !/[uUL8b]/.test(text.charAt(at - 1))) return undefined;
  const start = text.slice(at, at + 40);
  const cpp = /^R"([^()\\\s"]{0,16})\(/.exec(start);
  const rust = /^r(#{0,16})"/.exec(start);
  const opening = cpp ?? rust;
  if (opening === null) return undefined;
  const close = cpp === null ? `"${opening[1] ?? ''}` : `)${opening[1] ?? ''}"`;
  const end = text.indexOf(close, at + opening[0].length);
  return end < 0 ? text.length : end + close.length;
}

const character = /'(?:\\(?:u\{[^}']{1,8}\}|x..|.)|[^\\'\n])'/uy;

/** A character of Rust; a lone quote begins a lifetime. */
export function characterEnd(text: string, at: number): number | undefined {
  character.lastIndex = at;
  return character.test(text) ? character.lastIndex : undefined;
}

// Without a quote only capitals: `1 << bits` is arithmetic.
const hereMark = /<<(-?)[ \t]{0,9}(?:\\?([A-Z_][A-Z\d_]{1,60})\b|'([^'\n]{1,60})'|"([^"\n]{1,60})")/y;

/** A here-document of the shell, from its mark to its end line; the rest of the mark's line belongs to it. */
export function hereBody(text: string, at: number): number | undefined {
  hereMark.lastIndex = at;
  const mark = hereMark.exec(text);
  const word = mark?.[2] ?? mark?.[3] ?? mark?.[4];
  if (mark === null || word === undefined) return undefined;
  if (/[\w(<]/.test(text.charAt(at - 1))) return undefined;
  const indent = mark[1] === '-' ? '\\t*' : '';
  const close = new RegExp(`^${indent}${word.replace(/\W/g, '\\$&')}$`, 'gm');
  close.lastIndex = at + mark[0].length;
  const end = close.exec(text);
  return end === null ? text.length : end.index + end[0].length;
}
