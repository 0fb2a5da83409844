/** Receives the events of a JSON text; `key` is the name within an object, else undefined. */
export interface JsonEvents {
  object(key: string | undefined): void;
  array(key: string | undefined): void;
  end(): void;
  /** A string, number, boolean or null; numbers as written. */
  value(key: string | undefined, type: JsonScalar, text: string): void;
}

/** The types of single values. */
export type JsonScalar = 'string' | 'number' | 'boolean' | 'null';

const maxDepth = 1000;
const maxString = 64 * 1024;
const literals: ReadonlyMap<string, JsonScalar> = new Map(
  Object.entries<JsonScalar>({
    ...{ true: 'boolean', false: 'boolean', null: 'null' },
    // Python writes numbers that are none so.
    ...{ NaN: 'null', Infinity: 'null', '-Infinity': 'null' },
  }),
);
const word = /[^\s,:[\]{}"]{1,400}/y;

/**
 * Read JSON (RFC 8259), or several JSON texts after each other as in JSON lines, in one pass and without
 * building it. Lenient: commas are not checked, a byte order mark and comments are skipped. Returns false
 * where the text is not JSON or nests deeper than 1000 levels; all events before that were sent.
 */
export function scanJson(text: string, events: JsonEvents): boolean {
  const open: ('object' | 'array')[] = [];
  let key: string | undefined;
  let expectKey = false;
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  const after = () => {
    key = undefined;
    expectKey = open.at(-1) === 'object';
  };
  for (;;) {
    at = contentStart(text, at);
    if (at >= text.length) break;
    const sign = text.charAt(at);
    if (sign === '{' || sign === '[') {
      if (open.length >= maxDepth || expectKey) return false;
      if (sign === '{') events.object(key);
      else events.array(key);
      open.push(sign === '{' ? 'object' : 'array');
      after();
      at++;
    } else if (sign === '}' || sign === ']') {
      if (open.pop() !== (sign === '}' ? 'object' : 'array')) return false;
      events.end();
      after();
      at++;
    } else if (sign === '"') {
      const string = stringAt(text, at);
      if (string === undefined) return false;
      at = string.end;
      if (expectKey) {
        at = contentStart(text, at, ' \t\r\n');
        if (text.charAt(at) !== ':') return false;
        at++;
        key = string.value;
        expectKey = false;
      } else {
        events.value(key, 'string', string.value);
        after();
      }
    } else {
      word.lastIndex = at;
      const found = word.exec(text)?.[0];
      const type =
        found === undefined
          ? undefined
          : (literals.get(found) ?? (/^-?\d/.test(found) ? 'number' : undefined));
      if (type === undefined || expectKey || found === undefined) return false;
      events.value(key, type, found);
      at += found.length;
      after();
    }
  }
  return open.length === 0;
}

/** Where white space, commas and comments end. */
function contentStart(text: string, start: number, passed = ' \t\r\n,'): number {
  let at = start;
  for (; at < text.length; at++) {
    const sign = text.charAt(at);
    if (passed.includes(sign)) continue;
    if (sign !== '/') break;
    const next = text.charAt(at + 1);
    if (next !== '/' && next !== '*') break;
    const end = next === '/' ? text.indexOf('\n', at) : text.indexOf('*/', at);
    if (end < 0) return text.length;
    at = next === '/' ? end : end + 1;
  }
  return at;
}

function stringAt(text: string, start: number): { readonly value: string; readonly end: number } | undefined {
  let at = start + 1;
  let escaped = false;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 34) break;
    if (code === 92) {
      escaped = true;
      at++;
    }
  }
  if (at >= text.length) return undefined;
  const raw = text.slice(start + 1, Math.min(at, start + 1 + maxString));
  return { value: escaped ? unescaped(raw) : raw, end: at + 1 };
}

const controls: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' };

function unescaped(raw: string): string {
  const text = raw.replace(
    /\\(?:u([0-9a-fA-F]{4})|(.))/gs,
    (_, code: string | undefined, sign: string | undefined) =>
      code === undefined
        ? (controls[sign ?? ''] ?? sign ?? '')
        : String.fromCharCode(Number.parseInt(code, 16)),
  );
  // Half a character may be written alone, but is not stored.
  return text.replace(/\p{Cs}/gu, '\ufffd');
}
