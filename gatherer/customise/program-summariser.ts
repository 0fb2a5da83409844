import type { Field, RecognisedDocument } from '../../readers/document/index.ts';
import { plainEnvironment, runProgram } from '../programs/index.ts';
import { parseProgramOutput } from './program-output.ts';

/**
 * A program that summarises documents of a type (Essence: `TypeName.sum`): it reads the document on standard input and
 * its URL, name and types in GARNER_URL, GARNER_NAME, GARNER_TYPE and GARNER_MEDIA_TYPE, and prints SOIF attributes or
 * JSON.
 */
export interface SummariserProgram {
  readonly type: string;
  readonly command: readonly string[];
  readonly seconds?: number;
  /** `replace` what Garner finds itself, or `add` to it; `add` when absent. */
  readonly mode?: 'replace' | 'add';
}

/** The operator's summarising programs by type. */
export class ProgramSummarisers {
  readonly #programs: ReadonlyMap<string, SummariserProgram>;

  constructor(programs: readonly SummariserProgram[]) {
    this.#programs = new Map(programs.map((program) => [program.type.toLowerCase(), program]));
  }

  /** Whether the program of this type takes the place of Garner's own summariser. */
  replaces(type: string): boolean {
    return this.#programs.get(type.toLowerCase())?.mode === 'replace';
  }

  /** The fields that the program of a document's type prints; none without a program. Throws PROGRAM_*, RULE_OUTPUT. */
  async fields(document: RecognisedDocument, signal?: AbortSignal): Promise<readonly Field[]> {
    const program = this.#programs.get(document.type.toLowerCase());
    if (program === undefined) return [];
    const { command, seconds } = program;
    const output = await runProgram({
      command,
      input: document.bytes,
      env: {
        ...plainEnvironment(),
        GARNER_URL: document.url.replaceAll('\0', ''),
        GARNER_NAME: document.name.replaceAll('\0', ''),
        GARNER_TYPE: document.type,
        GARNER_MEDIA_TYPE: document.mediaType.replaceAll('\0', ''),
      },
      ...(seconds === undefined ? {} : { seconds }),
      signal,
    });
    return parseProgramOutput(command[0] ?? '', output);
  }
}
