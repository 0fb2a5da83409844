import { ByteView } from '../bytes/index.ts';
import { attempted, fact } from '../text/index.ts';
import { coffMachines, readCoffSymbols } from './coff.ts';
import { versionFields } from './pe-version.ts';
import { type ProgramFacts, type ProgramNames, programNames } from './program-facts.ts';

const subsystems: Readonly<Record<number, string>> = {
  1: 'native',
  2: 'Windows graphical',
  3: 'Windows console',
  7: 'POSIX console',
  9: 'Windows CE',
  10: 'EFI application',
  11: 'EFI boot driver',
  12: 'EFI runtime driver',
};

interface PeSection {
  readonly name: string;
  readonly address: number;
  readonly offset: number;
  readonly size: number;
}

const maxImports = 20_000;
const maxLibraries = 2000;
const maxSections = 1000;

/** The offset of the PE header in a file that begins as an MS-DOS program, or undefined. */
export function peOffset(bytes: Uint8Array): number | undefined {
  if (bytes[0] !== 0x4d || bytes[1] !== 0x5a || bytes.length < 64) return undefined;
  const at = new ByteView(bytes, true).u32(60);
  return at + 24 <= bytes.length && bytes[at] === 0x50 && bytes[at + 1] === 0x45 && bytes[at + 2] === 0
    ? at
    : undefined;
}

/** Read a Windows executable (the PE/COFF specification): header, imports, exports, version resource. */
export function readPe(bytes: Uint8Array, start: number): ProgramFacts {
  const file = new ByteView(bytes, true);
  const notes: string[] = [];
  const machine = file.u16(start + 4);
  const characteristics = file.u16(start + 22);
  const optional = start + 24;
  const wide = file.u16(optional) === 0x20b;
  const directories = optional + (wide ? 112 : 96);
  const sections = attempted('The section table', notes, () =>
    readSections(file, optional + file.u16(start + 20), file.u16(start + 6)),
  );
  const offsetOf = (address: number) => fileOffset(sections ?? [], address);
  const directory = (index: number) => {
    if (index >= file.u32(directories - 4)) return undefined;
    const address = file.u32(directories + index * 8);
    return address === 0 ? undefined : offsetOf(address);
  };
  const names = programNames();
  attempted('The import table', notes, () => {
    const at = directory(1);
    if (at !== undefined) readImports(file, at, wide, offsetOf, names);
  });
  const exported = attempted('The export table', notes, () => {
    const at = directory(0);
    return at === undefined ? undefined : readExports(file, at, offsetOf, names);
  });
  attempted('The symbol table', notes, () => {
    const [at, count] = [file.u32(start + 12), file.u32(start + 16)];
    if (at !== 0 && count !== 0) readCoffSymbols(file, at, count, names);
  });
  const version = attempted('The version resource', notes, () => {
    const at = directory(2);
    return at === undefined ? [] : versionFields(file, at, offsetOf);
  });
  const dotNet = attempted('The directory', notes, () => directory(14)) !== undefined;
  const texts = (sections ?? [])
    .filter(({ name }) => /^\.(?:rdata|data|rodata)/.test(name))
    .map(({ offset, size }) => file.slice(offset, offset + size));
  return {
    format: `${wide ? 'PE32+' : 'PE32'}${dotNet ? ' .NET assembly' : ''}`,
    machine: coffMachines[machine] ?? `machine ${machine}`,
    kind: (characteristics & 0x2000) !== 0 ? 'shared library' : 'executable',
    system: subsystems[file.u16(optional + 68)],
    soname: exported,
    ...names,
    title: version?.find(([name]) => name === 'Description')?.[1],
    fields: [fact('Sections', sections?.length), ...(version ?? [])],
    ...(texts.length === 0 ? {} : { texts }),
    notes,
  };
}

function readSections(file: ByteView, at: number, count: number): PeSection[] {
  return Array.from({ length: Math.min(count, maxSections) }, (_, index) => {
    const entry = at + index * 40;
    return {
      name: file.zeroEnded(entry, 8),
      address: file.u32(entry + 12),
      size: file.u32(entry + 16),
      offset: file.u32(entry + 20),
    };
  });
}

function fileOffset(sections: readonly PeSection[], address: number): number {
  const section = sections.find((one) => address >= one.address && address < one.address + one.size);
  if (section === undefined) throw new RangeError('address outside the file');
  return section.offset + address - section.address;
}

function readImports(
  file: ByteView,
  start: number,
  wide: boolean,
  offsetOf: (address: number) => number,
  { needed, undefinedNames }: ProgramNames,
): void {
  let imports = 0;
  for (let entry = 0; entry < maxLibraries; entry++) {
    const at = start + entry * 20;
    const nameAt = file.u32(at + 12);
    if (nameAt === 0) return;
    needed.add(file.zeroEnded(offsetOf(nameAt), 260));
    const lookups = file.u32(at) || file.u32(at + 16);
    if (lookups === 0) continue;
    const size = wide ? 8 : 4;
    for (let lookup = offsetOf(lookups); imports < maxImports; lookup += size, imports++) {
      const low = file.u32(lookup);
      const ordinal = (file.u32(lookup + size - 4) & 0x80000000) !== 0;
      if (low === 0 && !ordinal) break;
      if (!ordinal) undefinedNames.add(file.zeroEnded(offsetOf(low) + 2, 500));
    }
  }
}

/** Adds the exported names; returns the library's own. */
function readExports(
  file: ByteView,
  at: number,
  offsetOf: (address: number) => number,
  { defined }: ProgramNames,
): string {
  const count = Math.min(file.u32(at + 24), maxImports);
  if (count > 0) {
    const names = offsetOf(file.u32(at + 32));
    for (let index = 0; index < count; index++)
      defined.add(file.zeroEnded(offsetOf(file.u32(names + index * 4)), 500));
  }
  return file.zeroEnded(offsetOf(file.u32(at + 12)), 260);
}
