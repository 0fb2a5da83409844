import { type Argument, Directives, parseDirectives } from './fields/directives.ts';
import type { Fields } from './fields/fields.ts';
import { type Member, parseDictionary } from './fields/structured-dictionary.ts';

/** The directives that decide how a response may be cached. */
export interface ResponseControl {
  readonly directives: Directives;
  /** The targeted field that applies: Cache-Control and Expires are then ignored. */
  readonly targetedBy: string | undefined;
}

/** The directives of the first valid, non-empty targeted field (RFC 9213 2.2), else of Cache-Control. */
export function responseControl(fields: Fields, targetedFields: readonly string[]): ResponseControl {
  for (const name of targetedFields) {
    const text = fields.get(name);
    const directives = text === undefined ? undefined : parseTargeted(text);
    if (directives !== undefined) return { directives, targetedBy: name };
  }
  return { directives: parseDirectives(fields.lines('cache-control')), targetedBy: undefined };
}

const ofSeconds = new Set(['max-age', 's-maxage', 'stale-while-revalidate', 'stale-if-error']);
const bare = new Set([
  'no-store',
  'public',
  'must-revalidate',
  'proxy-revalidate',
  'must-understand',
  'no-transform',
  'immutable',
]);
const maybeQualified = new Set(['no-cache', 'private']);

/** A targeted field's directives; undefined when empty, unparsable, or a known one has a wrong type. */
function parseTargeted(text: string): Directives | undefined {
  const members = parseDictionary(text);
  if (members === undefined || members.size === 0) return undefined;
  const all = new Map<string, Argument[]>();
  for (const [name, member] of members) {
    if (!hasRightType(name, member)) return undefined;
    // A directive with the value false counts as absent.
    if (member.type === 'boolean' && !member.value) continue;
    all.set(name, [argumentOf(member)]);
  }
  return new Directives(all);
}

function hasRightType(name: string, { type }: Member): boolean {
  if (ofSeconds.has(name)) return type === 'integer';
  if (bare.has(name)) return type === 'boolean';
  if (maybeQualified.has(name)) return type === 'boolean' || type === 'string' || type === 'token';
  return true;
}

function argumentOf(member: Member): Argument {
  if (member.type === 'boolean' || member.type === 'list') return undefined;
  return { text: String(member.value), quoted: member.type === 'string' };
}
