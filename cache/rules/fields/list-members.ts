import { trimmed } from './fields.ts';

/**
 * The members of a comma-separated list (RFC 9110 5.6.1) without white space around them. Empty members are
 * left out, and commas within quotes do not separate. A quote without an end extends to the end of the value.
 */
export function listMembers(value: string): string[] {
  const members: string[] = [];
  let from = 0;
  while (from < value.length) {
    const end = endOfMember(value, from);
    const member = trimmed(value.slice(from, end));
    if (member !== '') members.push(member);
    from = end + 1;
  }
  return members;
}

function endOfMember(value: string, from: number): number {
  let quoted = false;
  for (let at = from; at < value.length; at += 1) {
    const code = value.charCodeAt(at);
    if (code === quote) quoted = !quoted;
    else if (code === backslash && quoted) at += 1;
    else if (code === comma && !quoted) return at;
  }
  return value.length;
}

const quote = 0x22;
const comma = 0x2c;
const backslash = 0x5c;
