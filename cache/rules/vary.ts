import { Fields, type RawFields } from './fields/fields.ts';
import { parseHttpDate } from './fields/http-date.ts';
import { listMembers } from './fields/list-members.ts';
import { normalisedValue } from './normalised-value.ts';
import type { StoredHead } from './stored-head.ts';

/** A Vary with more names counts as '*'. */
const maxNames = 32;

const token = /^[!#$%&'*+.^_`|~0-9a-z-]+$/;

/**
 * The request fields by which its response was selected (RFC 9111 4.1): those that Vary names, normalised,
 * sorted by name, without those that the request lacks. '*' when no later request can match: Vary is '*',
 * cannot be parsed or names more than 32.
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

/** Whether the fields that Vary names equal those of the stored response's request (RFC 9111 4.1). */
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

/** Whether a response varies by a field (lower case) that differs between its request and this one. */
export function isForAnother(head: StoredHead, name: string, requestFields: Fields): boolean {
  const names = varyNamesOf(head);
  if (names === '*' || !names.includes(name)) return false;
  let value: string | undefined;
  for (let at = 0; at < head.selecting.length; at += 2)
    if (head.selecting[at] === name) value = head.selecting[at + 1];
  return value !== selectingValue(name, requestFields);
}

// Computed once for each head: a hit costs no parsing.
const namesOfHeads = new WeakMap<StoredHead, readonly string[] | '*'>();

/** The fields by which a stored response varies, in lower case; '*' when that is unknown. */
export function varyNamesOf(head: StoredHead): readonly string[] | '*' {
  const known = namesOfHeads.get(head);
  if (known !== undefined) return known;
  const names = varyNames(new Fields(head.fields).lines('vary'));
  namesOfHeads.set(head, names);
  return names;
}

/** Of matching responses, the one with the latest Date (RFC 9111 4.1), the earlier in the list among equals. */
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

/** When a response was made, in seconds: its Date, else its time of receipt. */
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
