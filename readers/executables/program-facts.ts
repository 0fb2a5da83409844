import type { Field } from '../document/index.ts';
import { fact, NameList } from '../text/index.ts';

/** The names in an executable, a library or an object file. */
export interface ProgramNames {
  /** Libraries. */
  readonly needed: NameList;
  readonly defined: NameList;
  readonly undefinedNames: NameList;
}

/** The facts of an executable, a library or an object file. */
export interface ProgramFacts extends ProgramNames {
  /** `ELF 64-bit`, `PE32+`, `Mach-O 64-bit`, `Java class`. */
  readonly format: string;
  readonly machine: string;
  /** Its kind: `executable`, `shared library`, `relocatable object`, `core dump`. */
  readonly kind: string;
  /** Operating system or binary interface. */
  readonly system?: string | undefined;
  readonly interpreter?: string | undefined;
  readonly soname?: string | undefined;
  readonly buildId?: string | undefined;
  /** Compiler or linker that made it. */
  readonly producer?: string | undefined;
  /** Members of a library. */
  readonly members?: NameList;
  /** Texts of the format: version resources, module information. */
  readonly fields: readonly Field[];
  readonly title?: string | undefined;
  /** Where texts shown to users lie; the whole file when absent. */
  readonly texts?: readonly Uint8Array[];
  readonly notes: readonly string[];
}

const maxSymbols = 50_000;
const maxSymbolLength = 1024 * 1024;

/** Empty lists for a program's names. */
export function programNames(): ProgramNames {
  const symbols = () => new NameList(maxSymbols, maxSymbolLength);
  return { needed: new NameList(), defined: symbols(), undefinedNames: symbols() };
}

/** Facts as attributes, in the order they are printed. */
export function programFields(facts: ProgramFacts): Field[] {
  return [
    fact('Format', facts.format),
    fact('Machine', facts.machine),
    fact('Object-Kind', facts.kind),
    fact('System', facts.system),
    fact('Interpreter', facts.interpreter),
    fact('Soname', facts.soname),
    fact('Build-Id', facts.buildId),
    fact('Producer', facts.producer),
    ...facts.fields,
    ...(facts.members === undefined ? [] : [facts.members.field('Members')]),
    facts.needed.field('Needed-Libraries'),
    facts.defined.field('Defined-Symbols'),
    facts.undefinedNames.field('Undefined-Symbols'),
  ];
}
