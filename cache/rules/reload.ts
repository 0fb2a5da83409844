import { parseDirectives } from './fields/directives.ts';
import { type RawFields, withoutFields } from './fields/fields.ts';
import { listMembers } from './fields/list-members.ts';

const reloading = ['no-cache', 'max-age', 'min-fresh'];
const cacheControl: ReadonlySet<string> = new Set(['cache-control']);
const pragma: ReadonlySet<string> = new Set(['pragma']);

/**
 * A request's fields without those that demand something newer than the stored response: no-cache, max-age
 * and min-fresh, which a cache may ignore (RFC 9111 5.2.1), and Pragma. The same list where there are none.
 */
export function withoutReload(raw: RawFields): RawFields {
  const kept: string[] = [];
  let found = false;
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = (raw[at] ?? '').toLowerCase();
    if (name === 'pragma') found = true;
    if (name !== 'cache-control') continue;
    for (const member of listMembers(raw[at + 1] ?? '')) {
      const directives = parseDirectives([member]);
      if (reloading.some((one) => directives.has(one))) found = true;
      else kept.push(member);
    }
  }
  if (!found) return raw;
  const others = withoutFields(withoutFields(raw, pragma), cacheControl);
  return kept.length === 0 ? others : [...others, 'Cache-Control', kept.join(', ')];
}
