import { Fields, type RawFields, withField } from './fields.ts';

/** A request with more hops is treated as a loop. */
const maxHops = 32;

/** The fields with this cache added to Via (RFC 9110 7.6.3). `version` is the version of the message as received. */
export function appendVia(fields: RawFields, version: string, pseudonym: string): RawFields {
  const before = new Fields(fields).get('via');
  const own = `${version} ${pseudonym}`;
  return withField(fields, 'Via', before === undefined || before === '' ? own : `${before}, ${own}`);
}

/** The hops of a message by Via, in order (RFC 9110 7.6.3): pseudonyms or hosts, without protocol and comment. */
export function viaNames(lines: readonly string[]): readonly string[] {
  const names: string[] = [];
  for (const hop of withoutComments(lines.join(',')).split(',')) {
    const name = /^[ \t]*[^ \t]+[ \t]+([^ \t]+)/.exec(hop)?.[1];
    if (name !== undefined) names.push(name);
  }
  return names;
}

/** Whether a request loops (RFC 9110 7.6.3): Via names our unique pseudonym, in any case, or over 32 hops. */
export function loops(requestFields: Fields, pseudonym: string): boolean {
  const names = viaNames(requestFields.lines('via'));
  const own = pseudonym.toLowerCase();
  return names.length > maxHops || names.some((name) => name.toLowerCase() === own);
}

// A comment may contain commas and our name without naming a hop.
function withoutComments(via: string): string {
  if (!via.includes('(')) return via;
  let text = '';
  let depth = 0;
  for (let at = 0; at < via.length; at += 1) {
    const character = via[at];
    if (depth > 0 && character === '\\') at += 1;
    else if (character === '(') depth += 1;
    else if (depth > 0 && character === ')') depth -= 1;
    else if (depth === 0) text += character;
  }
  return text;
}
