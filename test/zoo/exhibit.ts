/** Made by programs of Debian from the sources of the workshop, or taken from a Debian package. */
export type Origin =
  | {
      /** A shell command that writes the exhibit under its name into its own folder; `$SOURCES` is the workshop's. */
      readonly made: string;
      /** Programs it needs, beside those of every Debian. */
      readonly by: readonly string[];
      /** Its office files, which one LibreOffice profile makes for all. */
      readonly office?: true;
    }
  | {
      /** Where the package keeps it; the first that is there. A gzipped one is the document inside. */
      readonly file: string | readonly string[];
      readonly of: string;
    }
  | {
      /** Why no file of this type can be had. */
      readonly absent: string;
    };

/** A real document of a type, and what its summary holds. */
export interface Exhibit {
  readonly type: string;
  /** The name under which it is read. */
  readonly name: string;
  readonly from: Origin;
  /** The URL under which it is read; `http://zoo.example/NAME` when absent. */
  readonly url?: string;
  /** How many summaries it gives; 1 when absent. */
  readonly objects?: number;
  /** Left packed: its summary is its listing. */
  readonly packed?: true;
  /** Told by the operator, for types that nothing tells. */
  readonly told?: true;
  /** Of its first summary of this type, else its first: the value, or what the value holds. */
  readonly attributes: Readonly<Record<string, string | RegExp>>;
}
