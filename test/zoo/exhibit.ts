/** Made by programs of Debian from the sources of the workshop, or taken from a Debian package. */
export type Origin =
  | {
      /**
       * A shell command that writes the exhibit under its name into its own folder; `$SOURCES` is the folder of
       * sources.
       */
      readonly made: string;
      /** Programs that it needs, in addition to those of every Debian. */
      readonly by: readonly string[];
      /** Whether it is an office file, made with one LibreOffice profile for all. */
      readonly office?: true;
    }
  | {
      /**
       * Its possible paths in the package; the first existing one is used. A gzipped file stands for the document
       * inside.
       */
      readonly file: string | readonly string[];
      readonly of: string;
    }
  | {
      /** The reason why there is no file of this type. */
      readonly absent: string;
    };

/** A real document of a type, and expected attributes of its summary. */
export interface Exhibit {
  readonly type: string;
  /** The file name under which it is read. */
  readonly name: string;
  readonly from: Origin;
  /** The URL under which it is read; `http://zoo.example/NAME` when absent. */
  readonly url?: string;
  /** Number of its summaries; 1 when absent. */
  readonly objects?: number;
  /** Left packed: its summary is its listing. */
  readonly packed?: true;
  /** The type set by the operator, for types that are not recognised. */
  readonly typeSet?: true;
  /**
   * Attributes of its first summary of this type, or else of its first summary: the value, or a pattern of the value.
   */
  readonly attributes: Readonly<Record<string, string | RegExp>>;
}
