import type { Scheme } from './scheme.ts';

/** The schemes a store and a client can agree on, by name. Data only. */
export const schemes: readonly Scheme[] = [
  { name: 'log', selects: 'changes', compresses: 'record', forgets: 'tombstone' },
  { name: 'handle-timestamp', selects: 'changes', compresses: 'handle', forgets: 'tombstone' },
  { name: 'signature', selects: 'everything', compresses: 'signature', forgets: 'absence' },
];

/** The scheme of that name, or undefined. */
export function schemeNamed(name: string): Scheme | undefined {
  return schemes.find((scheme) => scheme.name === name);
}
