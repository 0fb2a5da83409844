/** A module file: as the operator named it, and where it is. */
export interface ModuleFile {
  readonly module: string;
  /** Absolute. */
  readonly path: string;
}
