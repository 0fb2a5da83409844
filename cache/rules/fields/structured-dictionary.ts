/** A member of a Structured Field dictionary; its parameters are parsed and dropped. */
export type Member =
  | { readonly type: 'integer' | 'decimal' | 'date'; readonly value: number }
  | { readonly type: 'string' | 'token' | 'bytes' | 'display'; readonly value: string }
  | { readonly type: 'boolean'; readonly value: boolean }
  | { readonly type: 'list' };

interface Cursor {
  readonly text: string;
  at: number;
}

const key = /[a-z*][a-z0-9_.*-]*/y;
const number = /-?(\d+)(?:\.(\d+))?/y;
const quoted = /"((?:[ !#-[\]-~]|\\["\\])*)"/y;
const token = /[A-Za-z*][!#$%&'*+.^_`|~0-9A-Za-z:/-]*/y;
const bytes = /:([A-Za-z0-9+/]*={0,2}):/y;
const display = /%"((?:[ !#$&-~]|%[0-9a-f]{2})*)"/y;
const blanks = /[\t ]*/y;
const spaces = / */y;

/**
 * Parses a Dictionary Structured Field (RFC 9651 4.2.2), its lines joined by commas. Strict: undefined on the
 * first violation of the grammar. The last of two equal keys applies. An empty field is an empty dictionary.
 */
export function parseDictionary(text: string): ReadonlyMap<string, Member> | undefined {
  const members = new Map<string, Member>();
  const cursor: Cursor = { text, at: 0 };
  take(cursor, spaces);
  while (cursor.at < text.length) {
    const name = take(cursor, key)?.[0];
    if (name === undefined) return undefined;
    const member =
      text[cursor.at] === '=' ? readMember(cursor) : whole(cursor, { type: 'boolean', value: true });
    if (member === undefined) return undefined;
    members.delete(name);
    members.set(name, member);
    const trailing = take(cursor, blanks)?.[0] ?? '';
    if (cursor.at >= text.length) return trailing.includes('\t') ? undefined : members;
    if (text[cursor.at] !== ',') return undefined;
    cursor.at += 1;
    take(cursor, blanks);
    // A comma at the end.
    if (cursor.at >= text.length) return undefined;
  }
  return members;
}

function readMember(cursor: Cursor): Member | undefined {
  cursor.at += 1;
  if (cursor.text[cursor.at] !== '(') return readItem(cursor);
  cursor.at += 1;
  while (cursor.at < cursor.text.length) {
    take(cursor, spaces);
    if (cursor.text[cursor.at] === ')') {
      cursor.at += 1;
      return whole(cursor, { type: 'list' });
    }
    if (readItem(cursor) === undefined) return undefined;
    const next = cursor.text[cursor.at];
    if (next !== ' ' && next !== ')') return undefined;
  }
  return undefined;
}

function readItem(cursor: Cursor): Member | undefined {
  const item = readBareItem(cursor);
  return item === undefined ? undefined : whole(cursor, item);
}

/** The member, when its parameters follow the grammar. */
function whole(cursor: Cursor, member: Member): Member | undefined {
  while (cursor.text[cursor.at] === ';') {
    cursor.at += 1;
    take(cursor, spaces);
    if (take(cursor, key) === undefined) return undefined;
    if (cursor.text[cursor.at] !== '=') continue;
    cursor.at += 1;
    if (readBareItem(cursor) === undefined) return undefined;
  }
  return member;
}

function readBareItem(cursor: Cursor): Member | undefined {
  const first = cursor.text[cursor.at] ?? '';
  if (first === '-' || (first >= '0' && first <= '9')) return readNumber(cursor);
  if (first === '"') {
    const found = take(cursor, quoted);
    return found && { type: 'string', value: (found[1] ?? '').replace(/\\(.)/g, '$1') };
  }
  if (first === '?') {
    const value = cursor.text[cursor.at + 1];
    if (value !== '0' && value !== '1') return undefined;
    cursor.at += 2;
    return { type: 'boolean', value: value === '1' };
  }
  if (first === '@') {
    cursor.at += 1;
    const moment = readNumber(cursor);
    return moment?.type === 'integer' ? { type: 'date', value: moment.value } : undefined;
  }
  if (first === ':') {
    const found = take(cursor, bytes);
    return found && { type: 'bytes', value: found[1] ?? '' };
  }
  if (first === '%') {
    const found = take(cursor, display);
    return found && { type: 'display', value: found[1] ?? '' };
  }
  const found = take(cursor, token);
  return found && { type: 'token', value: found[0] };
}

function readNumber(cursor: Cursor): Member | undefined {
  const found = take(cursor, number);
  if (found === undefined) return undefined;
  const whole = found[1] ?? '';
  const fraction = found[2];
  if (fraction === undefined) {
    // "1." is an incomplete number.
    if (whole.length > 15 || cursor.text[cursor.at] === '.') return undefined;
    return { type: 'integer', value: Number(found[0]) };
  }
  if (whole.length > 12 || fraction.length > 3) return undefined;
  return { type: 'decimal', value: Number(found[0]) };
}

function take(cursor: Cursor, pattern: RegExp): RegExpExecArray | undefined {
  pattern.lastIndex = cursor.at;
  const found = pattern.exec(cursor.text);
  if (found === null) return undefined;
  cursor.at = pattern.lastIndex;
  return found;
}
