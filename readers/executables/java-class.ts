import { ByteView } from '../bytes/index.ts';
import { fact } from '../text/index.ts';
import { type ProgramFacts, programNames } from './program-facts.ts';

/** Whether a file begins as a Java class; a fat Mach-O has a small number in place of the version. */
export function isJavaClass(bytes: Uint8Array): boolean {
  return (
    bytes.length > 10 &&
    bytes[0] === 0xca &&
    bytes[1] === 0xfe &&
    bytes[2] === 0xba &&
    bytes[3] === 0xbe &&
    ((bytes[6] ?? 0) << 8) + (bytes[7] ?? 0) >= 45
  );
}

type Constant = string | { readonly class: number } | undefined;

/** Read a Java class (JVM Specification 4): names, methods, fields, used classes and source file. */
export function readJavaClass(bytes: Uint8Array): ProgramFacts {
  const file = new ByteView(bytes);
  const { constants, end } = readConstants(file);
  const text = (index: number) => {
    const constant = constants[index];
    return typeof constant === 'string' ? constant : '';
  };
  const className = (index: number) => {
    const constant = constants[index];
    return typeof constant === 'object' ? text(constant.class).replaceAll('/', '.') : '';
  };
  const access = file.u16(end);
  const name = className(file.u16(end + 2));
  const names = programNames();
  const interfaces = Array.from({ length: file.u16(end + 6) }, (_, index) =>
    className(file.u16(end + 8 + index * 2)),
  );
  let at = end + 8 + interfaces.length * 2;
  let source: string | undefined;
  // Fields, methods, then attributes of the class; members have their own attributes.
  for (let list = 0; list < 3; list++) {
    const count = file.u16(at);
    at += 2;
    for (let index = 0; index < count; index++) {
      if (list === 2) {
        if (text(file.u16(at)) === 'SourceFile') source = text(file.u16(at + 6));
        at += 6 + file.u32(at + 2);
        continue;
      }
      const member = text(file.u16(at + 2));
      // Compiler-made members are synthetic; initialisers have no name of their own.
      if ((file.u16(at) & 0x1000) === 0 && !member.startsWith('<')) names.defined.add(member);
      const attributes = file.u16(at + 6);
      at += 8;
      for (let attribute = 0; attribute < attributes; attribute++) at += 6 + file.u32(at + 2);
    }
  }
  for (let index = 0; index < constants.length; index++) {
    const other = className(index);
    if (other !== '' && other !== name && !other.startsWith('[')) names.undefinedNames.add(other);
  }
  const version = file.u16(6);
  return {
    format: `Java class ${version - 44}`,
    machine: 'Java virtual machine',
    kind: (access & 0x2000) !== 0 ? 'annotation' : (access & 0x200) !== 0 ? 'interface' : 'class',
    ...names,
    title: name,
    fields: [
      fact('Classes', name),
      fact('Extends', [className(file.u16(end + 4)), ...interfaces].filter(Boolean).join(', ')),
      fact('Source-File', source),
    ],
    texts: [],
    notes: [],
  };
}

// Sizes of the entries whose content does not matter here, by tag.
const skipped: Readonly<Record<number, number>> = {
  3: 4,
  4: 4,
  5: 8,
  6: 8,
  8: 2,
  9: 4,
  10: 4,
  11: 4,
  12: 4,
  15: 3,
  16: 2,
  17: 4,
  18: 4,
  19: 2,
  20: 2,
};

function readConstants(file: ByteView): { readonly constants: readonly Constant[]; readonly end: number } {
  const count = file.u16(8);
  const constants: Constant[] = [undefined];
  let at = 10;
  while (constants.length < count) {
    const tag = file.u8(at);
    if (tag === 1) {
      const length = file.u16(at + 1);
      constants.push(file.utf8(at + 3, at + 3 + length));
      at += 3 + length;
    } else if (tag === 7) {
      constants.push({ class: file.u16(at + 1) });
      at += 3;
    } else {
      const size = skipped[tag];
      if (size === undefined) throw new RangeError('unknown constant');
      constants.push(undefined);
      // Long numbers take two places.
      if (tag === 5 || tag === 6) constants.push(undefined);
      at += 1 + size;
    }
  }
  return { constants, end: at };
}
