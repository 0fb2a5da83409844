interface SettingBase {
  /** Dotted name: `gatherer.delay` is also `--delay` and `GARNER_GATHERER_DELAY`. */
  readonly key: string;
  /** One plain sentence for --help and docs/config.md. */
  readonly describe: string;
  /** A token or the like: its value is never printed. */
  readonly secret?: boolean;
}

/** The texts of a setting that holds a list, from which a user can write one. */
interface ListWords {
  /** One entry, as the end of the sentence "each entry is ...". */
  readonly entry: string;
  /** A whole value as it follows the key in the file, in YAML's flow style. */
  readonly example: string;
}

/**
 * One configurable value as plain data. `cli` turns tables of these into schema, flags, environment and docs.
 * Durations are stored in seconds and sizes in bytes; people write `10s`, `2h`, `64MiB`.
 */
export type Setting =
  | (SettingBase & { readonly kind: 'text'; readonly default: string })
  | (SettingBase & { readonly kind: 'choice'; readonly choices: readonly string[]; readonly default: string })
  | (SettingBase & { readonly kind: 'flag'; readonly default: boolean })
  | (SettingBase & {
      readonly kind: 'count';
      readonly default: number;
      readonly min?: number;
      readonly max?: number;
    })
  | (SettingBase & { readonly kind: 'duration'; readonly default: number })
  | (SettingBase & {
      readonly kind: 'size';
      readonly default: number;
      /** The meaning of 0, where 0 is not a size. */
      readonly zero?: string;
    })
  | (SettingBase & ListWords & { readonly kind: 'list'; readonly default: readonly string[] })
  /** A list of tables, which is practical only in a file; the folder that owns the setting reads the entries. */
  | (SettingBase &
      ListWords & {
        readonly kind: 'records';
        readonly default: readonly Readonly<Record<string, unknown>>[];
        /** The option that a bare text sets, where an entry may be bare text. */
        readonly bare?: string;
      });
