import { schemes } from '../../awareness/index.ts';
import { type SourceAddress, sourceAddress, sourceFrom } from '../../broker/index.ts';
import { type FilterSpec, filterFrom, filterText } from '../../exchange/index.ts';
import { formatDuration, GarnerError, nearest, parseDuration } from '../../kernel/index.ts';
import { parseQuery } from '../../query/index.ts';
import { badSetting } from './bad-setting.ts';
import type { EffectiveConfig } from './config.ts';
import type { Mistakes } from './config-errors.ts';
import { sourceAccess } from './source-access.ts';

type Table = Readonly<Record<string, unknown>>;

const options = ['source', 'query', 'max-age', 'age-attribute'];
const usualAttribute = 'Last-Modification-Time';

/** The sources of `broker.collect` with their filters, tokens and authorities. Throws CLI_BAD_SETTING, BROKER_SOURCE. */
export function brokerSources(config: EffectiveConfig): readonly SourceAddress[] {
  const filters = readFilters(config, (error) => {
    throw error;
  });
  const access = sourceAccess(config);
  return config.list('broker.collect').map((text) => {
    const named = sourceFrom(text);
    const source = { ...named, ...access.get(named.url), from: config.origin('broker.collect') };
    const filter = filters.get(source.url);
    if (filter === undefined) return source;
    if (source.filter?.view !== undefined)
      throw badSetting(
        config,
        'broker.filters[0]',
        `filters ${source.url}, which is a view`,
        'remove the filter: a view is collected as it is',
      );
    return { ...source, filter };
  });
}

/** Note the mistakes in the Broker's filters and in its scheme. */
export function checkSourceFilters(config: EffectiveConfig, mistakes: Mistakes): void {
  const scheme = config.text('broker.scheme');
  if (scheme !== '' && !schemes.some(({ name }) => name === scheme))
    mistakes.note(unknownScheme(config, scheme));
  // An address that was refused would make its filter look wrong too.
  if (mistakes.concerns(['broker.collect'])) return;
  readFilters(config, (error) => mistakes.note(error));
}

/** The filters of the sources, by address; wrong filters are reported and left out. */
function readFilters(
  config: EffectiveConfig,
  wrong: (error: GarnerError) => void,
): ReadonlyMap<string, FilterSpec> {
  const urls = config.list('broker.collect').map(sourceAddress);
  const filters = new Map<string, FilterSpec>();
  for (const [at, table] of config.records('broker.filters').entries())
    try {
      const { url, filter } = readFilter(table, at, urls, config);
      if (filters.has(url))
        throw badSetting(
          config,
          `broker.filters[${at}]`,
          'filters a source a second time',
          'keep one of the two',
        );
      filters.set(url, filter);
    } catch (error) {
      if (!(error instanceof GarnerError)) throw error;
      wrong(error);
    }
  return filters;
}

function unknownScheme(config: EffectiveConfig, scheme: string): GarnerError {
  const names = schemes.map(({ name }) => name);
  const near = nearest(scheme, names);
  const problem = `is ${JSON.stringify(scheme.slice(0, 60))}, which is not a scheme`;
  const meant = near === undefined ? '' : `did you mean ${near}? `;
  const cure = `${meant}remove it, or write one of ${names.join(', ')}`;
  return badSetting(config, 'broker.scheme', problem, cure);
}

function readFilter(
  table: Table,
  at: number,
  urls: readonly string[],
  config: EffectiveConfig,
): { readonly url: string; readonly filter: FilterSpec } {
  const key = `broker.filters[${at}]`;
  for (const name of Object.keys(table))
    if (!options.includes(name))
      throw badSetting(
        config,
        `${key}.${name}`,
        'is not an option of a filter',
        `write one of ${options.join(', ')}`,
      );
  const url = urlOf(table.source);
  // Without sources here, they are flags of the command that collects.
  if (url === undefined || (urls.length > 0 && !urls.includes(url)))
    throw badSetting(
      config,
      `${key}.source`,
      `is ${shown(table.source)}, from which this Broker does not collect`,
      'write one of the addresses in broker.collect',
    );
  const query = readQuery(table.query, `${key}.query`, config);
  const age = readAge(table, key, config);
  if (query === undefined && age === undefined)
    throw badSetting(config, key, 'filters nothing', 'give it a query, a max-age, or both');
  const filter: FilterSpec = { ...(query !== undefined && { query }), ...(age && { age }) };
  try {
    // The source reads the text with the same function.
    filterFrom(filterText(filter));
  } catch (error) {
    if (!(error instanceof GarnerError)) throw error;
    throw badSetting(config, key, 'cannot be sent to a source', 'write a shorter query');
  }
  return { url, filter };
}

function readQuery(value: unknown, key: string, config: EffectiveConfig): string | undefined {
  if (value === undefined) return undefined;
  const cure = 'write a query, such as   Type: report AND database';
  if (typeof value !== 'string' || value.trim() === '')
    throw badSetting(config, key, `is ${shown(value)}, which is not a query`, cure);
  // A search may ignore parts of a query; a filter may not.
  const [note] = parseQuery(value).notes;
  if (note !== undefined) throw badSetting(config, key, `is ${shown(value)}: ${note}`, cure);
  return value;
}

function readAge(table: Table, key: string, config: EffectiveConfig): FilterSpec['age'] {
  const { 'max-age': given, 'age-attribute': attribute = usualAttribute } = table;
  if (given === undefined) {
    if (table['age-attribute'] === undefined) return undefined;
    throw badSetting(config, `${key}.age-attribute`, 'needs max-age', 'add   max-age: 260w');
  }
  const seconds = typeof given === 'string' ? parseDuration(given) : undefined;
  if (seconds === undefined || !Number.isSafeInteger(seconds) || seconds <= 0)
    throw badSetting(
      config,
      `${key}.max-age`,
      `is ${shown(given)}, which is not an age`,
      'write a time with its unit, such as 12h, 30d or 260w',
    );
  if (typeof attribute !== 'string' || !/^[\w.-]{1,64}$/.test(attribute))
    throw badSetting(
      config,
      `${key}.age-attribute`,
      `is ${shown(attribute)}, which is not the name of an attribute`,
      `write the name of an attribute that holds seconds since 1970, such as ${usualAttribute}`,
    );
  return { attribute, seconds };
}

function urlOf(value: unknown): string | undefined {
  try {
    return typeof value === 'string' ? sourceAddress(value) : undefined;
  } catch {
    return undefined;
  }
}

const shown = (value: unknown) => (value === undefined ? 'missing' : JSON.stringify(value).slice(0, 60));

/** A filter in words: `Type: report, Last-Modification-Time at most 260w ago`. */
export function filterWords({ view, query, age }: FilterSpec): string {
  return [
    ...(view === undefined ? [] : [`view ${view}`]),
    ...(query === undefined ? [] : [query]),
    ...(age === undefined ? [] : [`${age.attribute} at most ${formatDuration(age.seconds)} ago`]),
  ].join(', ');
}
