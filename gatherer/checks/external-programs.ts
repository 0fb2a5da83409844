import { findProgram } from '../programs/index.ts';

/** A program of the system that gathering uses if it is installed. */
export interface ExternalProgram {
  readonly name: string;
  /** The Debian package that holds it. */
  readonly packageName: string;
  /** Its use, and the loss without it, as parts of a sentence. */
  readonly gives: string;
  readonly without: string;
  readonly present: boolean;
}

const tools: readonly Omit<ExternalProgram, 'present'>[] = [
  {
    name: 'gs',
    packageName: 'ghostscript',
    gives: 'reads PostScript whose text is not plain',
    without: 'some text of PostScript files is not found',
  },
  {
    name: 'bsdtar',
    packageName: 'libarchive-tools',
    gives: 'opens 7z, rar, lha, cab and iso archives',
    without: '7z, rar, lha, cab and iso archives are left packed',
  },
  {
    name: 'git',
    packageName: 'git',
    gives: 'reads git+file: roots',
    without: 'git+file: roots cannot be gathered',
  },
];

/** The external programs that gathering uses, looked up in `path` (PATH when absent). */
export function externalPrograms(path?: string): readonly ExternalProgram[] {
  return tools.map((tool) => ({ ...tool, present: findProgram(tool.name, path) !== undefined }));
}
