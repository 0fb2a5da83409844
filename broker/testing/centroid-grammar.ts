/** A centroid as RFC 1913 section 6.3 has it: template types, their fields, and the words of each. */
export interface Centroid {
  readonly head: ReadonlyMap<string, string>;
  readonly templates: ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>;
}

const headLines: readonly (readonly [name: string, value: RegExp])[] = [
  ['Version-number', /^1\.0$/],
  ['Start-time', /^\d{12}$/],
  ['End-time', /^\d{12}$/],
  ['Server-handle', /^[\x21-\x7e]+$/],
  ['Case-sensitive', /^(?:TRUE|FALSE)$/],
  ['Authentication-type', /^NONE$/],
  ['Authentication-data', /^$/],
  ['Compression-type', /^NONE$/],
  ['Operation', /^FULL$/],
];

/**
 * Parse a full centroid by its grammar, and accept nothing else:
 *
 *     centroid = "# CENTROID-CHANGES" head *template "# END CENTROID-CHANGES"
 *     template = "# BEGIN TEMPLATE" " Template: " name " Any-field: " ("TRUE" | "FALSE") 1*field "# END TEMPLATE"
 *     field    = "# BEGIN FIELD" " Field: " name " Data: " word *("-" word) "# END FIELD"
 *
 * Each part is a line that ends with CR LF. Names occur once, and words once in their field.
 */
export function parseCentroid(bytes: Uint8Array): Centroid {
  const lines = Buffer.from(bytes).toString('latin1').split('\r\n');
  let at = 0;
  const wrong = (wanted: string): never => {
    throw new Error(`line ${at + 1} of the centroid is ${JSON.stringify(lines[at])}, not ${wanted}`);
  };
  const literal = (line: string) => {
    if (lines[at] !== line) wrong(line);
    at++;
  };
  const valued = (name: string, pattern: RegExp, before = ' ') => {
    const start = `${before}${name}`;
    const line = lines[at] ?? '';
    const value = line.slice(start.length);
    if (!line.startsWith(start) || !pattern.test(value)) wrong(`${start}${pattern.source}`);
    at++;
    return value;
  };
  const word = /^[0-9a-z+#\xa1-\xff]+$/;
  const words = () => {
    const found = [valued('Data: ', word)];
    while (lines[at]?.startsWith('-')) found.push(valued('', word, '-'));
    if (new Set(found).size !== found.length) wrong('a list of different words');
    return found;
  };
  const named = <Value>(into: Map<string, Value>, name: string, value: Value) => {
    if (into.has(name)) wrong(`another name than ${name}`);
    into.set(name, value);
  };
  const fields = () => {
    const found = new Map<string, readonly string[]>();
    do {
      literal('# BEGIN FIELD');
      const name = valued('Field: ', /^[\w.:-]+$/);
      named(found, name, words());
      literal('# END FIELD');
    } while (lines[at] === '# BEGIN FIELD');
    return found;
  };
  literal('# CENTROID-CHANGES');
  const head = new Map(headLines.map(([name, pattern]) => [name, valued(`${name}: `, pattern)]));
  const templates = new Map<string, ReadonlyMap<string, readonly string[]>>();
  while (lines[at] === '# BEGIN TEMPLATE') {
    at++;
    const name = valued('Template: ', /^[\w-]+$/);
    valued('Any-field: ', /^(?:TRUE|FALSE)$/);
    named(templates, name, fields());
    literal('# END TEMPLATE');
  }
  literal('# END CENTROID-CHANGES');
  literal('');
  if (at !== lines.length) wrong('the end');
  return { head, templates };
}
