import { ByteView } from '../bytes/index.ts';
import { readThrift, type ThriftValue } from './thrift-compact.ts';

/** The facts in the header of a file of arrays or columns. */
export interface ArrayFacts {
  readonly format: string;
  readonly title?: string | undefined;
  readonly rows?: number | undefined;
  /** `name: type` or `name: type (dimensions)`. */
  readonly variables: readonly string[];
  /** `name: length`. */
  readonly dimensions?: readonly string[];
  /** Attributes of the whole file as `name: value`. */
  readonly attributes?: readonly string[];
  readonly software?: string | undefined;
}

const parquetTypes = [
  'boolean',
  'int32',
  'int64',
  'int96',
  'float',
  'double',
  'byte array',
  'fixed byte array',
];

/** Read the footer of an Apache Parquet file: schema, rows, writing program. */
export function readParquet(bytes: Uint8Array): ArrayFacts {
  const file = new ByteView(bytes, true);
  const length = file.u32(file.length - 8);
  const footer = readThrift(file.part(file.length - 8 - length, file.length - 8));
  const list = (value: ThriftValue | undefined) =>
    Array.isArray(value) ? (value as readonly ThriftValue[]) : [];
  const variables = list(footer.get(2)).flatMap((element) => {
    if (!(element instanceof Map)) return [];
    const [type, name] = [element.get(1), element.get(4)];
    return typeof name === 'string' && typeof type === 'number'
      ? [`${name}: ${parquetTypes[type] ?? type}`]
      : [];
  });
  const [rows, software] = [footer.get(3), footer.get(6)];
  return {
    format: 'Parquet',
    rows: typeof rows === 'number' ? rows : undefined,
    variables,
    software: typeof software === 'string' ? software : undefined,
  };
}

const netCdfTypes = [
  '',
  'byte',
  'char',
  'short',
  'int',
  'float',
  'double',
  'ubyte',
  'ushort',
  'uint',
  'int64',
  'uint64',
];
const netCdfSizes = [0, 1, 1, 2, 4, 4, 8, 1, 2, 4, 8, 8];
const maxEntries = 10_000;

/** Read the header of a classic NetCDF file (CDF-1, CDF-2, CDF-5): dimensions, attributes, variables. */
export function readNetCdf(bytes: Uint8Array): ArrayFacts {
  const file = new ByteView(bytes);
  const version = file.u8(3);
  const wide = version === 5;
  let at = 4;
  const count = () => {
    at += wide ? 8 : 4;
    return wide ? file.u64(at - 8) : file.u32(at - 4);
  };
  const name = () => {
    const length = count();
    at += Math.ceil(length / 4) * 4;
    if (at > file.length) throw new RangeError('name outside the file');
    const start = at - Math.ceil(length / 4) * 4;
    return file.utf8(start, start + length);
  };
  const list = <Entry>(read: () => Entry): Entry[] => {
    at += 4;
    const length = count();
    if (length > maxEntries) throw new RangeError('too many entries');
    return Array.from({ length }, read);
  };
  const attribute = () => {
    const key = name();
    const type = file.u32(at);
    at += 4;
    const length = count();
    const size = length * (netCdfSizes[type] ?? 1);
    const start = at;
    at += Math.ceil(size / 4) * 4;
    return { key, text: type === 2 ? file.utf8(start, start + Math.min(size, 4096)) : undefined };
  };
  count();
  const dimensions = list(() => ({ name: name(), length: count() }));
  const attributes = list(attribute);
  const variables = list(() => {
    const key = name();
    const shape = repeated(count(), () => dimensions[count()]?.name ?? '?');
    const about = list(attribute);
    const type = file.u32(at);
    at += 4;
    count();
    at += version === 1 ? 4 : 8;
    const title = about.find((one) => one.key === 'long_name')?.text;
    return `${key}: ${netCdfTypes[type] ?? type} (${shape.join(', ')})${title === undefined ? '' : ` ${title}`}`;
  });
  const texts = attributes.flatMap(({ key, text }) => (text === undefined ? [] : [`${key}: ${text}`]));
  return {
    format: `NetCDF ${version === 1 ? 'classic' : version === 2 ? '64-bit offset' : '64-bit data'}`,
    title: attributes.find(({ key }) => key === 'title')?.text,
    variables,
    dimensions: dimensions.map((one) => `${one.name}: ${one.length === 0 ? 'unlimited' : one.length}`),
    attributes: texts,
  };
}

function repeated<Entry>(length: number, read: () => Entry): Entry[] {
  if (length > maxEntries) throw new RangeError('too many entries');
  return Array.from({ length }, read);
}

/** Read the header of a NumPy array (.npy): a Python dictionary. */
export function readNumPy(bytes: Uint8Array): ArrayFacts {
  const file = new ByteView(bytes, true);
  const start = file.u8(6) === 1 ? 10 : 12;
  const length = file.u8(6) === 1 ? file.u16(8) : file.u32(8);
  const text = file.latin1(start, start + Math.min(length, 8192));
  const type = /'descr':\s*'([^']{1,100})'/.exec(text)?.[1] ?? 'structure';
  const shape = /'shape':\s*\(([\d, ]{0,200})\)/.exec(text)?.[1]?.replace(/,\s*$/, '') ?? '';
  const fields = [...text.matchAll(/\('([^']{1,100})',\s*'([^']{1,100})'/g)].map(
    ([, name, kind]) => `${name}: ${kind}`,
  );
  return { format: 'NumPy array', variables: fields.length > 0 ? fields : [type], dimensions: [shape] };
}
