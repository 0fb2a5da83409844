import { ByteView } from '../bytes/index.ts';
import { attempted, fact } from '../text/index.ts';
import { type ProgramFacts, type ProgramNames, programNames } from './program-facts.ts';
import { readableSymbol } from './symbol-names.ts';

const machines: Readonly<Record<number, string>> = {
  7: 'Intel 80386',
  12: 'ARM',
  18: 'PowerPC',
  16777223: 'AMD x86-64',
  16777228: 'ARM AArch64',
  16777234: 'PowerPC 64',
};
const kinds: Readonly<Record<number, string>> = {
  1: 'relocatable object',
  2: 'executable',
  4: 'core dump',
  6: 'shared library',
  7: 'dynamic linker',
  8: 'bundle',
  10: 'debug symbols',
  11: 'kernel extension',
};
const platforms: Readonly<Record<number, string>> = { 1: 'macOS', 2: 'iOS', 3: 'tvOS', 4: 'watchOS' };

/** The kind of Mach-O file by its beginning, one image or several; Java classes share the latter's mark. */
export function machOKind(bytes: Uint8Array): 'thin' | 'fat' | undefined {
  if (bytes.length < 28) return undefined;
  const file = new ByteView(bytes);
  const mark = file.u32(0);
  if (mark === 0xfeedface || mark === 0xfeedfacf || mark === 0xcefaedfe || mark === 0xcffaedfe) return 'thin';
  return mark === 0xcafebabe && file.u32(4) > 0 && file.u32(4) < 20 ? 'fat' : undefined;
}

/** Read a Mach-O image; of a fat file the first image, with the machines of all. */
export function readMachO(bytes: Uint8Array): ProgramFacts {
  if (machOKind(bytes) !== 'fat') return readImage(bytes);
  const file = new ByteView(bytes);
  const count = file.u32(4);
  const images = Array.from({ length: count }, (_, index) => 8 + index * 20);
  const first = images[0] ?? 8;
  const facts = readImage(file.slice(file.u32(first + 8), file.u32(first + 8) + file.u32(first + 12)));
  const all = images.map((at) => machines[file.u32(at)] ?? `machine ${file.u32(at)}`);
  return { ...facts, format: 'Mach-O universal', machine: all.join(', ') };
}

const maxCommands = 10_000;
const maxSymbols = 1_000_000;

function readImage(bytes: Uint8Array): ProgramFacts {
  const mark = new ByteView(bytes).u32(0);
  const file = new ByteView(bytes, mark === 0xcefaedfe || mark === 0xcffaedfe);
  const wide = file.u32(0) === 0xfeedfacf;
  const notes: string[] = [];
  const names = programNames();
  const found: { soname?: string; uuid?: string; system?: string; texts: Uint8Array[] } = { texts: [] };
  let symbolTables = 0;
  attempted('A load command', notes, () => {
    let at = wide ? 32 : 28;
    const commands = Math.min(file.u32(16), maxCommands);
    for (let index = 0; index < commands; index++) {
      const [command, size] = [file.u32(at) & 0x7fffffff, file.u32(at + 4)];
      if (size < 8) break;
      const name = () => file.zeroEnded(at + file.u32(at + 8), Math.min(size, 1024));
      if (command === 0xc || command === 0x18 || command === 0x1f || command === 0x23)
        names.needed.add(name());
      else if (command === 0xd) found.soname = name();
      else if (command === 0x1b) found.uuid = Buffer.from(file.slice(at + 8, at + 24)).toString('hex');
      else if (command === 0x32)
        found.system = `${platforms[file.u32(at + 8)] ?? ''} ${version(file.u32(at + 12))}`.trim();
      else if (command === 0x24) found.system = `macOS ${version(file.u32(at + 8))}`;
      else if (command === 2 && symbolTables++ === 0)
        attempted('The symbol table', notes, () => readSymbols(file, at, wide, names));
      else if (command === (wide ? 0x19 : 1)) readSegment(file, at, wide, found.texts);
      at += size;
    }
  });
  const machine = file.u32(4);
  return {
    format: `Mach-O ${wide ? '64' : '32'}-bit`,
    machine: machines[machine] ?? `machine ${machine}`,
    kind: kinds[file.u32(12)] ?? `kind ${file.u32(12)}`,
    system: found.system,
    soname: found.soname,
    buildId: found.uuid,
    ...names,
    fields: [fact('Load-Commands', file.u32(16))],
    ...(found.texts.length === 0 ? {} : { texts: found.texts }),
    notes,
  };
}

function version(packed: number): string {
  return `${packed >>> 16}.${(packed >>> 8) & 255}`;
}

function readSymbols(file: ByteView, command: number, wide: boolean, names: ProgramNames): void {
  const [table, count, strings] = [file.u32(command + 8), file.u32(command + 12), file.u32(command + 16)];
  const size = wide ? 16 : 12;
  for (let index = 0; index < Math.min(count, maxSymbols); index++) {
    const at = table + index * size;
    const type = file.u8(at + 4);
    // External, neither private nor for a debugger.
    if ((type & 0xe0) !== 0 || (type & 1) === 0 || (type & 0x10) !== 0) continue;
    const nameAt = strings + file.u32(at);
    if (nameAt >= file.length) continue;
    const symbol = file.zeroEnded(nameAt, 500);
    const name = symbol.startsWith('__Z') ? readableSymbol(symbol) : symbol.replace(/^_/, '');
    if ((type & 0x0e) === 0) names.undefinedNames.add(name);
    else names.defined.add(name);
  }
}

/** Sections of C strings are where texts lie. */
function readSegment(file: ByteView, command: number, wide: boolean, texts: Uint8Array[]): void {
  const count = Math.min(file.u32(command + (wide ? 64 : 48)), 255);
  const size = wide ? 80 : 68;
  for (let index = 0; index < count; index++) {
    const at = command + (wide ? 72 : 56) + index * size;
    if (!/string|const|rodata/.test(file.zeroEnded(at, 16))) continue;
    const length = wide ? file.u64(at + 40) : file.u32(at + 36);
    const offset = file.u32(at + (wide ? 48 : 40));
    texts.push(file.slice(offset, offset + length));
  }
}
