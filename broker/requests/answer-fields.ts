import { failure } from '../../kernel/index.ts';
import { brokerErrors } from '../errors.ts';
import type { SearchHit } from '../searching/index.ts';
import type { AskedBy } from './search-parameters.ts';

/** The fields of a hit, in the order in which they are sent. */
export const hitFields = [
  'oid',
  'url',
  'title',
  'titleMatches',
  'snippet',
  'matches',
  'attributes',
  'lines',
  'score',
  'source',
  'sourceName',
  'type',
  'md5',
  'language',
  'size',
  'updatedAt',
  'modifiedAt',
  'also',
  'alsoTotal',
  'access',
  'shown',
  'section',
  'sections',
] as const satisfies readonly (keyof SearchHit)[];

type HitField = (typeof hitFields)[number];

/** Makes a hit of the wanted fields; undefined where every field is wanted. */
export type HitSelection = ((hit: SearchHit) => Partial<SearchHit>) | undefined;

const isField = (name: string): name is HitField => (hitFields as readonly string[]).includes(name);

/** The `fields` of a request: names of fields of a hit with commas between, also repeated. Throws BROKER_QUERY. */
export function hitSelection({ queries }: Pick<AskedBy, 'queries'>): HitSelection {
  const wanted = new Set<HitField>();
  for (const name of (queries.fields ?? []).flatMap((text) => text.split(','))) {
    const field = name.trim();
    if (isField(field)) wanted.add(field);
    else if (field !== '')
      throw failure(brokerErrors.BROKER_QUERY, {
        field: 'fields',
        reason: `has ${JSON.stringify(field.slice(0, 40))}, which is not one of ${hitFields.join(', ')}`,
      });
  }
  if (wanted.size === 0) return undefined;
  const names = hitFields.filter((name) => wanted.has(name));
  return (hit) => Object.fromEntries(names.map((name) => [name, hit[name]]));
}
