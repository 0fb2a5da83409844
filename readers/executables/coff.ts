import { ByteView } from '../bytes/index.ts';
import { type ProgramFacts, type ProgramNames, programNames } from './program-facts.ts';
import { readableSymbol } from './symbol-names.ts';

/** Names of COFF's machine numbers, of those in use. */
export const coffMachines: Readonly<Record<number, string>> = {
  332: 'Intel 80386',
  358: 'MIPS',
  388: 'DEC Alpha',
  448: 'ARM',
  452: 'ARM Thumb-2',
  496: 'PowerPC',
  512: 'Intel IA-64',
  3772: 'EFI byte code',
  20530: 'RISC-V 32',
  20580: 'RISC-V 64',
  25138: 'LoongArch 32',
  25188: 'LoongArch 64',
  34404: 'AMD x86-64',
  43620: 'ARM AArch64',
};

const maxSymbols = 500_000;

/** Whether a file begins as a COFF object of a known machine, with a symbol table inside it. */
export function isCoffObject(bytes: Uint8Array): boolean {
  if (bytes.length < 20) return false;
  const file = new ByteView(bytes, true);
  const symbols = file.u32(8);
  return (
    coffMachines[file.u16(0)] !== undefined && file.u16(16) === 0 && symbols >= 20 && symbols < bytes.length
  );
}

/** Read a COFF object file: its machine and external symbols. */
export function readCoffObject(bytes: Uint8Array): ProgramFacts {
  const file = new ByteView(bytes, true);
  const names = programNames();
  readCoffSymbols(file, file.u32(8), file.u32(12), names);
  return {
    format: 'COFF',
    machine: coffMachines[file.u16(0)] ?? '',
    kind: 'relocatable object',
    ...names,
    fields: [],
    notes: [],
  };
}

/** Add the external symbols of a COFF symbol table of `count` entries of 18 bytes. */
export function readCoffSymbols(file: ByteView, start: number, count: number, names: ProgramNames): void {
  const strings = start + count * 18;
  for (let index = 0; index < Math.min(count, maxSymbols); index++) {
    const at = start + index * 18;
    if (at + 18 > file.length) return;
    const [section, storage] = [file.i16(at + 12), file.u8(at + 16)];
    if (storage === 2 && section >= 0) {
      const long = file.u32(at) === 0;
      const nameAt = strings + file.u32(at + 4);
      if (!long || nameAt < file.length) {
        const name = readableSymbol(long ? file.zeroEnded(nameAt, 500) : file.zeroEnded(at, 8));
        if (section > 0) names.defined.add(name);
        else names.undefinedNames.add(name);
      }
    }
    index += file.u8(at + 17);
  }
}
