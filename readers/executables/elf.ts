import { ByteView } from '../bytes/index.ts';
import type { Field } from '../document/index.ts';
import { attempted, fact } from '../text/index.ts';
import { elfKinds, elfMachines, elfSystems } from './elf-names.ts';
import { type ProgramFacts, type ProgramNames, programNames } from './program-facts.ts';
import { readableSymbol } from './symbol-names.ts';

const maxSections = 70_000;
const maxSymbols = 1_000_000;

interface Section {
  readonly name: string;
  readonly type: number;
  readonly link: number;
  readonly offset: number;
  readonly size: number;
}

/** Whether a file begins as ELF. */
export function isElf(bytes: Uint8Array): boolean {
  return bytes[0] === 0x7f && bytes[1] === 0x45 && bytes[2] === 0x4c && bytes[3] === 0x46;
}

/** Read an ELF file (System V ABI 4); damaged parts are noted. Throws RangeError for an incomplete header. */
export function readElf(bytes: Uint8Array): ProgramFacts {
  const wide = bytes[4] === 2;
  const file = new ByteView(bytes, bytes[5] !== 2);
  const notes: string[] = [];
  const kindNumber = file.u16(16);
  const machineNumber = file.u16(18);
  const sections = attempted('The section table', notes, () => readSections(file, wide)) ?? [];
  const named = (name: string) => sections.find((section) => section.name === name);
  const names = programNames();
  const full = sections.some(({ type }) => type === 2);
  // Sections may overlap, so the total of read bytes is bounded.
  const budget = { symbols: maxSymbols };
  for (const section of sections)
    if (section.type === 2 || (section.type === 11 && !full))
      attempted('A symbol table', notes, () =>
        readSymbols(file, wide, section, sections[section.link], budget, names),
      );

  const soname = attempted('The dynamic section', notes, () => readDynamic(file, wide, sections, names));
  const interpreter = named('.interp');
  const dataOf = (section: Section) => file.slice(section.offset, section.offset + section.size);
  const comment = named('.comment');
  const producer = comment && [
    ...new Set(file.utf8(comment.offset, comment.offset + Math.min(comment.size, 4096)).split('\0')),
  ];
  const isPie = kindNumber === 3 && interpreter !== undefined;
  const texts = sections.filter(({ name }) => /^\.(?:rodata|data|rdata|data\.rel\.ro|modinfo)/.test(name));
  return {
    format: `ELF ${wide ? '64' : '32'}-bit ${file.little ? 'LSB' : 'MSB'}`,
    machine: elfMachines[machineNumber] ?? `machine ${machineNumber}`,
    kind: isPie
      ? 'executable'
      : named('.modinfo')
        ? 'kernel module'
        : (elfKinds[kindNumber] ?? `kind ${kindNumber}`),
    system: elfSystems[file.u8(7)],
    interpreter: interpreter && attempted('The interpreter', notes, () => file.zeroEnded(interpreter.offset)),
    soname,
    buildId: attempted('The build id', notes, () => buildId(file, named('.note.gnu.build-id'))),
    producer: producer?.filter(Boolean).slice(0, 4).join(', '),
    ...names,
    fields: [
      fact('Sections', sections.length === 0 ? undefined : sections.length),
      fact('Stripped', full || kindNumber === 1 ? undefined : 'yes'),
      ...moduleFields(file, named('.modinfo')),
      ...packageFields(file, named('.note.package')),
    ],
    ...(texts.length === 0 ? {} : { texts: texts.map(dataOf) }),
    notes,
  };
}

function readSections(file: ByteView, wide: boolean): Section[] {
  const table = wide ? file.u64(40) : file.u32(32);
  const entrySize = file.u16(wide ? 58 : 46);
  let count = file.u16(wide ? 60 : 48);
  let namesAt = file.u16(wide ? 62 : 50);
  if (table === 0 || entrySize < (wide ? 64 : 40)) return [];
  // Counts above 16 bits are in the first entry.
  if (count === 0) count = wide ? file.u64(table + 32) : file.u32(table + 20);
  if (namesAt === 0xffff) namesAt = file.u32(table + (wide ? 40 : 24));
  const heads = Array.from({ length: Math.min(count, maxSections) }, (_, index) => {
    const at = table + index * entrySize;
    if (at + entrySize > file.length) return undefined;
    return {
      nameAt: file.u32(at),
      type: file.u32(at + 4),
      link: file.u32(at + (wide ? 40 : 24)),
      offset: wide ? file.u64(at + 24) : file.u32(at + 16),
      size: wide ? file.u64(at + 32) : file.u32(at + 20),
    };
  });
  const names = heads[namesAt];
  return heads.flatMap((head) => {
    if (head === undefined) return [];
    const at = (names?.offset ?? file.length) + head.nameAt;
    return [{ ...head, name: at < file.length ? file.zeroEnded(at, 200) : '' }];
  });
}

/** Names that every linker adds. */
const linkerNames =
  /^(?:_edata|_end|_start|_init|_fini|__bss_start|(?:__)?data_start|__dso_handle|_IO_stdin_used|__gmon_start__|__cxa_finalize|_ITM_\w+|__TMC_END__)(?:@.*)?$/;

function readSymbols(
  file: ByteView,
  wide: boolean,
  { offset, size }: Section,
  strings: Section | undefined,
  budget: { symbols: number },
  names: ProgramNames,
): void {
  if (strings === undefined) return;
  const entrySize = wide ? 24 : 16;
  const end = Math.min(offset + size, file.length - entrySize + 1, offset + budget.symbols * entrySize);
  budget.symbols -= Math.max(0, Math.floor((end - offset) / entrySize));
  for (let at = offset; at < end; at += entrySize) {
    const info = file.u8(at + (wide ? 4 : 12));
    const other = file.u8(at + (wide ? 5 : 13));
    const place = file.u16(at + (wide ? 6 : 14));
    const [binding, type] = [info >> 4, info & 15];
    // Global, weak and unique names of data and functions that others may see.
    if (binding !== 1 && binding !== 2 && binding !== 10) continue;
    if (type > 2 && type !== 5 && type !== 6 && type !== 10) continue;
    const hidden = (other & 3) === 1 || (other & 3) === 2;
    const nameAt = strings.offset + file.u32(at);
    if (nameAt >= file.length) continue;
    const symbol = file.zeroEnded(nameAt, 500);
    if (linkerNames.test(symbol)) continue;
    if (place === 0) names.undefinedNames.add(readableSymbol(symbol));
    // Absolute names are versions.
    else if (!hidden && place !== 0xfff1) names.defined.add(readableSymbol(symbol));
  }
}

const maxDynamic = 10_000;

/** Adds the needed libraries; returns the library's own name. */
function readDynamic(
  file: ByteView,
  wide: boolean,
  sections: readonly Section[],
  { needed }: ProgramNames,
): string | undefined {
  const section = sections.find(({ type }) => type === 6);
  const strings = section && sections[section.link];
  if (section === undefined || strings === undefined) return undefined;
  let soname: string | undefined;
  const entrySize = wide ? 16 : 8;
  const end = Math.min(section.offset + section.size, section.offset + maxDynamic * entrySize);
  for (let at = section.offset; at + entrySize <= end; at += entrySize) {
    const tag = file.u32(at + (wide && !file.little ? 4 : 0));
    if (tag === 0) break;
    if (tag !== 1 && tag !== 14) continue;
    const value = wide ? file.u64(at + 8) : file.u32(at + 4);
    const text = file.zeroEnded(strings.offset + value);
    if (tag === 1) needed.add(text);
    else soname = text;
  }
  return soname;
}

function buildId(file: ByteView, section: Section | undefined): string | undefined {
  if (section === undefined) return undefined;
  const nameSize = file.u32(section.offset);
  const at = section.offset + 12 + Math.ceil(nameSize / 4) * 4;
  return Buffer.from(file.slice(at, at + Math.min(file.u32(section.offset + 4), 64))).toString('hex');
}

const moduleNames: ReadonlyMap<string, string> = new Map(
  Object.entries({
    author: 'Author',
    description: 'Description',
    license: 'License',
    version: 'Version',
    firmware: 'Firmware',
  }),
);

/** The facts of a Linux kernel module, as `name=value` texts. */
function moduleFields(file: ByteView, section: Section | undefined): Field[] {
  if (section === undefined) return [];
  const texts = file.utf8(section.offset, section.offset + Math.min(section.size, 64 * 1024)).split('\0');
  const values = new Map<string, string[]>();
  for (const text of texts) {
    const equals = text.indexOf('=');
    const name = moduleNames.get(text.slice(0, Math.max(equals, 0)));
    if (name !== undefined) values.set(name, [...(values.get(name) ?? []), text.slice(equals + 1)]);
  }
  return [...values].map(([name, list]) => fact(name, list.join(', ')));
}

/** The package a program was built from (the FDO packaging note: JSON). */
function packageFields(file: ByteView, section: Section | undefined): Field[] {
  if (section === undefined) return [];
  const text = file.utf8(section.offset + 16, section.offset + Math.min(section.size, 8192));
  const value = (key: string) => new RegExp(`"${key}"\\s*:\\s*"([^"\\\\]{1,200})"`).exec(text)?.[1];
  return [fact('Package', value('name')), fact('Version', value('version'))];
}
