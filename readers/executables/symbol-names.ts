const maxParts = 64;

/**
 * A symbol as its programmer wrote it: the names within a mangled symbol of the Itanium C++ ABI (`_ZN3foo3barEv` is
 * `foo::bar`; Rust's older scheme is the same) or of Rust's v0, without types and parameters. Other symbols as they are,
 * without the version a linker appends.
 */
export function readableSymbol(symbol: string): string {
  const version = symbol.indexOf('@');
  const plain = version > 0 ? symbol.slice(0, version) : symbol;
  if (plain.startsWith('_Z')) return nestedNames(plain, 2) ?? plain;
  if (plain.startsWith('__Z')) return nestedNames(plain, 3) ?? plain;
  return (plain.startsWith('_R') ? rustNames(plain) : undefined) ?? plain;
}

const specials: Readonly<Record<string, string>> = {
  TV: 'vtable for ',
  TT: 'VTT for ',
  TI: 'typeinfo for ',
  TS: 'typeinfo name for ',
};
const standard: Readonly<Record<string, string>> = {
  St: 'std',
  Sa: 'std::allocator',
  Sb: 'std::basic_string',
  Ss: 'std::string',
  Si: 'std::istream',
  So: 'std::ostream',
};

function nestedNames(symbol: string, start: number): string | undefined {
  let at = start;
  const before = specials[symbol.slice(at, at + 2)] ?? '';
  if (before !== '') at += 2;
  const parts: string[] = [];
  const nested = symbol.charAt(at) === 'N';
  if (nested) {
    at++;
    while (/[rVKRO]/.test(symbol.charAt(at))) at++;
  }
  while (parts.length < maxParts) {
    const known = standard[symbol.slice(at, at + 2)];
    if (known !== undefined) {
      parts.push(known);
      at += 2;
      continue;
    }
    const part = sourceName(symbol, at);
    if (part !== undefined) {
      parts.push(part.name);
      at = part.end;
    } else if (/^[CD][0-5]/.test(symbol.slice(at, at + 2))) {
      const last = parts.at(-1) ?? '';
      parts.push(symbol.charAt(at) === 'D' ? `~${last}` : last);
      at += 2;
    } else if (symbol.charAt(at) === 'L' || symbol.charAt(at) === 'B') at++;
    else if (symbol.charAt(at) === 'I' && parts.length > 0) at = argumentsEnd(symbol, at);
    else break;
    if (!nested && parts.length > (parts[0] === 'std' ? 1 : 0)) break;
  }
  // Rust's older scheme ends with a hash.
  if (/^h[0-9a-f]{16}$/.test(parts.at(-1) ?? '')) parts.pop();
  return parts.length === 0 || parts.at(-1) === 'std' ? undefined : before + parts.join('::');
}

/** The end of template arguments that begin at `at`: brackets of the grammar are counted, names skipped. */
function argumentsEnd(symbol: string, at: number): number {
  let depth = 0;
  for (let end = at; end < symbol.length; end++) {
    const letter = symbol.charAt(end);
    if (/[1-9]/.test(letter)) end = (sourceName(symbol, end)?.end ?? symbol.length) - 1;
    else if (letter === 'S' || letter === 'T') {
      const rest = /^(?:[\dA-Z]*_|[a-z])/.exec(symbol.slice(end + 1, end + 6))?.[0];
      end += rest?.length ?? 0;
    } else if (letter === 'D') end++;
    else if (letter === 'L' && symbol.charAt(end + 1) !== '_') {
      const close = symbol.indexOf('E', end);
      end = close < 0 ? symbol.length : close;
    } else if (/[INJXFL]/.test(letter)) depth++;
    else if (letter === 'E' && --depth === 0) return end + 1;
  }
  return symbol.length;
}

/** Names of Rust's v0 mangling, in their order; the parts between them are left out. */
function rustNames(symbol: string): string | undefined {
  const parts: string[] = [];
  for (let at = 2; at < symbol.length && parts.length < maxParts; ) {
    const part = /[A-Za-z_]/.test(symbol.charAt(at)) ? undefined : sourceName(symbol, at);
    if (part === undefined) at++;
    else {
      parts.push(part.name);
      at = part.end;
    }
  }
  return parts.length === 0 ? undefined : parts.join('::');
}

/** An identifier with its length in front. */
function sourceName(symbol: string, at: number): { readonly name: string; readonly end: number } | undefined {
  const digits = /^[1-9]\d{0,3}/.exec(symbol.slice(at, at + 4))?.[0];
  if (digits === undefined) return undefined;
  let start = at + digits.length;
  const end = start + Number(digits);
  if (end > symbol.length) return undefined;
  if (symbol.charAt(start) === '_' && /\d/.test(symbol.charAt(start + 1))) start++;
  const name = symbol
    .slice(start, end)
    .replaceAll('$LT$', '<')
    .replaceAll('$GT$', '>')
    .replaceAll('..', '::');
  return { name: name.startsWith('_GLOBAL__N') ? '(anonymous)' : name, end };
}
