import type { RawFields } from '../../rules/index.ts';

/** Contents up to this length are appended to their head: cheaper than a second buffer in each write. */
export const joinedBytes = 16 * 1024;

const namePattern = /^[!#$%&'*+.^_`|~0-9a-z-]+$/i;
// Visible characters, space, tab, and bytes above ASCII.
const valuePattern = /^[\t\x20-\x7e\x80-\xff]*$/;

/** The fields for a kept connection, as Node's HTTP server writes them. */
export function keptConnection(keepAliveMs: number): string {
  return `Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(keepAliveMs / 1000)}\r\n`;
}

/** A head as text (latin1), with the lines `last` after its fields; undefined when it would be ambiguous. */
export function printedHead(
  { status, reason }: { readonly status: number; readonly reason: string },
  fields: RawFields,
  last: string,
): string | undefined {
  if (!valuePattern.test(reason)) return undefined;
  let text = `HTTP/1.1 ${status} ${reason}\r\n`;
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [name, value] = [fields[at] as string, fields[at + 1] as string];
    if (!namePattern.test(name) || !valuePattern.test(value)) return undefined;
    text += `${name}: ${value}\r\n`;
  }
  return `${text}${last}\r\n`;
}
