// Executables, libraries and objects: one reader for each format, all with `ProgramFacts` as result: ELF, PE,
// COFF, Mach-O, `ar` libraries, Java classes, WebAssembly. `programTexts` selects the texts that a program
// shows to people, and `readableSymbol` undoes the mangling of C++ and Rust names. All offsets in these files
// may be wrong. Read program-facts.ts, then elf.ts.
export { isArLibrary, readArLibrary } from './ar-library.ts';
export { isCoffObject, readCoffObject } from './coff.ts';
export { isElf, readElf } from './elf.ts';
export { isJavaClass, readJavaClass } from './java-class.ts';
export { machOKind, readMachO } from './mach-o.ts';
export { peOffset, readPe } from './pe.ts';
export { programTexts } from './printable-strings.ts';
export { type ProgramFacts, programFields } from './program-facts.ts';
export { isWebAssembly, readWebAssembly } from './web-assembly.ts';
