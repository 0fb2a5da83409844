import { trimmed } from './fields/fields.ts';
import { listMembers } from './fields/list-members.ts';

// Lists of weighted alternatives: their order and the case of their letters have no meaning (RFC 9110 12.5).
const weighted: ReadonlySet<string> = new Set([
  'accept',
  'accept-charset',
  'accept-encoding',
  'accept-language',
]);

// Not lists: a space after a comma is part of the value.
const oneValue: ReadonlySet<string> = new Set([
  'authorization',
  'cookie',
  'origin',
  'range',
  'referer',
  'user-agent',
]);

const maxNormalisedLength = 4096;

/**
 * A request field in the one spelling of all with the same meaning (RFC 9111 4.1): lines combined and, where
 * its definition allows it, white space, case, order of members and weights of 1 normalised.
 */
export function normalisedValue(lowerName: string, lines: readonly string[]): string {
  const value = lines.length === 1 ? (lines[0] ?? '') : lines.join(', ');
  // A longer value is not worth normalising: it costs no work, and equals only itself.
  if (value.length > maxNormalisedLength) return value;
  if (weighted.has(lowerName)) return rememberedPreferences(lowerName, value);
  if (oneValue.has(lowerName) || !value.includes(',')) return value;
  return listMembers(value).join(', ');
}

// Nearly all clients share a few spellings, so the result is cached.
const remembered = new Map<string, string>();
const maxRemembered = 1000;
const maxRememberedLength = 256;

function rememberedPreferences(lowerName: string, value: string): string {
  if (value.length > maxRememberedLength) return preferences(lowerName, value);
  const spelling = `${lowerName} ${value}`;
  const known = remembered.get(spelling);
  if (known !== undefined) return known;
  const preferred = preferences(lowerName, value);
  if (remembered.size >= maxRemembered) remembered.clear();
  remembered.set(spelling, preferred);
  return preferred;
}

function preferences(lowerName: string, value: string): string {
  const all = new Set<string>();
  for (const member of listMembers(value)) all.add(preference(lowerName, member));
  return [...all].sort().join(', ');
}

function preference(lowerName: string, member: string): string {
  // A quoted text may contain a semicolon: such a member is left as it is.
  if (member.includes('"')) return member;
  const parts = member.split(';').map(trimmed);
  const [first = '', ...parameters] = parts;
  const kept: string[] = [];
  for (const parameter of parameters) {
    const equals = parameter.indexOf('=');
    const name = (equals < 0 ? parameter : parameter.slice(0, equals)).toLowerCase();
    const text = equals < 0 ? '' : parameter.slice(equals + 1);
    // The value of a media type's parameter may be case-sensitive; its name, and a weight, are not.
    if (name !== 'q') kept.push(equals < 0 ? name : `${name}=${text}`);
    else if (!isOne(text)) kept.push(`q=${weight(text)}`);
  }
  const alternative = first.toLowerCase();
  const named = lowerName === 'accept-encoding' ? (sameCodings.get(alternative) ?? alternative) : alternative;
  return [named, ...kept].join(';');
}

// RFC 9110 8.4.1: recipients consider these equivalent.
const sameCodings: ReadonlyMap<string, string> = new Map([
  ['x-gzip', 'gzip'],
  ['x-compress', 'compress'],
]);

function isOne(text: string): boolean {
  return /^1(?:\.0{0,3})?$/.test(text);
}

// 0.50, 0.5 and 0.500 are the same weight; an invalid weight stays as it is.
function weight(text: string): string {
  return /^0(?:\.\d{0,3})?$/.test(text) ? String(Number(text)) : text;
}
