import { Parser } from 'htmlparser2';
import { latin1Start } from '../../bytes/index.ts';
import type { PdfFile } from '../file/file.ts';
import { textOfString } from '../file/strings.ts';
import { nameOf, type PdfDictionary, PdfStream, type PdfValue } from '../file/values.ts';
import { dataOf } from './metadata.ts';

const maxFields = 20_000;
const maxDepth = 32;
const maxPacket = 4 * 1024 * 1024;
// Flags of fields (ISO 32000 tables 226 and 228).
const password = 1 << 13;
const pushButton = 1 << 16;

/** Names that programs give to fields, such as `Text12` or `form1[0].name[0]`. */
const generated = /[[\]]|^\W*(?:undefined|untitled)|\d$/i;

/** The filled fields of a form (ISO 32000 section 12.7), each as its name and value; passwords are left out. */
export function formValues(file: PdfFile): string[] {
  const form = file.dictionary(file.catalog.get('AcroForm'));
  if (form === undefined) return [];
  const values: string[] = [];
  const seen = new Set<PdfDictionary>();
  const waiting: { readonly field: PdfValue; readonly above: PdfDictionary; readonly depth: number }[] = [];
  const push = (fields: readonly PdfValue[], above: PdfDictionary, depth: number) => {
    for (const field of [...fields].reverse().slice(0, maxFields)) waiting.push({ field, above, depth });
  };
  push(file.array(form.get('Fields')), new Map(), 0);
  for (let next = waiting.pop(); next !== undefined && seen.size < maxFields; next = waiting.pop()) {
    const own = file.dictionary(next.field);
    if (own === undefined || seen.has(own) || next.depth > maxDepth) continue;
    seen.add(own);
    // Kind, value, flags and choices are inherited.
    const field: PdfDictionary = new Map(next.above);
    for (const key of ['FT', 'V', 'Ff', 'Opt', 'T', 'TU']) {
      const value = own.get(key);
      if (value !== undefined) field.set(key, value);
    }
    const kids = file.array(own.get('Kids')).filter((kid) => file.dictionary(kid)?.has('T') === true);
    if (kids.length > 0) push(kids, field, next.depth + 1);
    else values.push(...shownField(file, field));
  }
  return values.length > 0 ? values : packetValues(file, form);
}

function shownField(file: PdfFile, field: PdfDictionary): string[] {
  const flags = file.number(field.get('Ff')) ?? 0;
  const kind = nameOf(file.resolve(field.get('FT')));
  if ((kind === 'Tx' && (flags & password) !== 0) || (kind === 'Btn' && (flags & pushButton) !== 0))
    return [];
  const value = file.resolve(field.get('V'));
  const values = Array.isArray(value) ? (value as readonly PdfValue[]) : [value];
  const shown = values
    .map((item) => textOf(file, kind === 'Sig' ? file.dictionary(item)?.get('Name') : item))
    .filter((text) => text !== '' && !(kind === 'Btn' && text === 'Off'))
    .map((text) => (kind === 'Tx' ? text : choice(file, field, text)))
    .join(', ');
  if (shown.trim() === '') return [];
  const label = textOf(file, field.get('TU')) || textOf(file, field.get('T'));
  return [label === '' || generated.test(label) ? shown : `${label.replace(/\s*:$/, '')}: ${shown}`];
}

/** What the form shows for a value: a choice has a pair of both, a button the number of its text. */
function choice(file: PdfFile, field: PdfDictionary, value: string): string {
  const options = file.array(field.get('Opt'));
  for (const option of options.slice(0, maxFields)) {
    const [exported, shown] = file.array(option);
    if (exported !== undefined && textOf(file, exported) === value) return textOf(file, shown) || value;
  }
  const named = /^\d{1,5}$/.test(value) ? file.resolve(options[Number(value)]) : undefined;
  return typeof named === 'string' ? textOfString(named) : value;
}

function textOf(file: PdfFile, value: PdfValue | undefined): string {
  const found = file.resolve(value);
  if (typeof found === 'string') return textOfString(found).trim();
  if (found instanceof PdfStream)
    return textOfString(latin1Start(dataOf(file, found) ?? new Uint8Array())).trim();
  return Buffer.from(nameOf(found) ?? '', 'latin1').toString('utf8');
}

/** The values of a form of XFA: the texts of its data packet. */
function packetValues(file: PdfFile, form: PdfDictionary): string[] {
  const packets = [
    file.resolve(form.get('XFA')),
    ...file.array(form.get('XFA')).map((item) => file.resolve(item)),
  ];
  const parts = packets.flatMap((packet) =>
    packet instanceof PdfStream ? (dataOf(file, packet) ?? []) : [],
  );
  const source = Buffer.concat(parts).subarray(0, maxPacket).toString('utf8');
  const values: string[] = [];
  let inside = false;
  let text = '';
  const parser = new Parser(
    {
      onopentag: (name) => {
        if (name === 'xfa:data') inside = true;
        text = '';
      },
      ontext: (part) => {
        if (inside) text += part;
      },
      onclosetag: (name) => {
        if (name === 'xfa:data') inside = false;
        if (text.trim() !== '' && values.length < maxFields) values.push(text.trim());
        text = '';
      },
    },
    { xmlMode: true },
  );
  parser.end(source);
  return values;
}
