import { Fields } from './fields/fields.ts';
import { parseHttpDate } from './fields/http-date.ts';
import { listMembers } from './fields/list-members.ts';
import type { RawFields } from './fields/raw-fields.ts';
import { normalisedValue } from './normalised-value.ts';
import type { StoredHead } from './stored-head.ts';

/** Fields a Vary may name before it counts as '*'. */
const maxNames = 32;

const token = /^[!#$%&'*+.^_`|~0-9a-z-]+$/;

/**
 * What of a request its response was selected by (RFC 9111 4.1): the fields Vary names, normalised, sorted by name; one that
 * the request lacks is left out. '*' when no later request can match: Vary says so, cannot be read or names more than 32.
 */
export function selectingFields(varyLines: readonly string[], requestFields: Fields): RawFields | '*' {
  const names = varyNames(varyLines);
  if (names === '*') return '*';
  const selecting: string[] = [];
  for (const name of names) {
    const value = selectingValue(name, requestFields);
    if (value !== undefined) selecting.push(name, value);
  }
  return selecting;
}

/** Whether a stored response may answer a request with these fields (RFC 9111 4.1): what Vary names is the same in both. */
export function matches(head: StoredHead, requestFields: Fields): boolean {
  const names = varyNamesOf(head);
  if (names === '*') return false;
  let at = 0;
  for (const name of names) {
    const value = selectingValue(name, requestFields);
    if (value === undefined) continue;
    if (head.selecting[at] !== name || head.selecting[at + 1] !== value) return false;
    at += 2;
  }
  return at === head.selecting.length;
}

/** Whether a stored response varies by a field, its name in lower case, in which these fields differ from its request's. */
export function isForAnother(head: StoredHead, name: string, requestFields: Fields): boolean {
  const names = varyNamesOf(head);
  if (names === '*' || !names.includes(name)) return false;
  let value: string | undefined;
  for (let at = 0; at < head.selecting.length; at += 2)
    if (head.selecting[at] === name) value = head.selecting[at + 1];
  return value !== selectingValue(name, requestFields);
}

// Worked out once for each head: a hit costs no parsing.
const namesOfHeads = new WeakMap<StoredHead, readonly string[] | '*'>();

/** The fields that a stored response varies by, in lower case; '*' when nobody can tell. */
export function varyNamesOf(head: StoredHead): readonly string[] | '*' {
  const known = namesOfHeads.get(head);
  if (known !== undefined) return known;
  const names = varyNames(new Fields(head.fields).lines('vary'));
  namesOfHeads.set(head, names);
  return names;
}

/** Of responses that match, the one with the latest Date (RFC 9111 4.1), the earlier in the list among equals. */
export function choose<T extends { readonly head: StoredHead }>(matching: readonly T[]): T | undefined {
  if (matching.length < 2) return matching[0];
  let chosen: T | undefined;
  let chosenAt = Number.NEGATIVE_INFINITY;
  for (const entry of matching) {
    const sentAt = dateOf(entry.head);
    if (sentAt <= chosenAt) continue;
    chosen = entry;
    chosenAt = sentAt;
  }
  return chosen;
}

/** When a response was made, in seconds: its Date, else when it came in. */
function dateOf(head: StoredHead): number {
  const receivedAt = head.receivedAtMs / 1000;
  return parseHttpDate(new Fields(head.fields).lines('date')[0], receivedAt) ?? receivedAt;
}

function varyNames(lines: readonly string[]): readonly string[] | '*' {
  if (lines.length === 0) return lines;
  const names = new Set<string>();
  for (const line of lines) {
    for (const member of listMembers(line)) {
      const name = member.toLowerCase();
      if (name === '*' || !token.test(name)) return '*';
      names.add(name);
      if (names.size > maxNames) return '*';
    }
  }
  return [...names].sort();
}

function selectingValue(name: string, requestFields: Fields): string | undefined {
  const lines = requestFields.lines(name);
  return lines.length === 0 ? undefined : normalisedValue(name, lines);
}
