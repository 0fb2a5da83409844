interface SettingBase {
  /** Dotted name: `gatherer.delay` is also `--delay` and `GARNER_GATHERER_DELAY`. */
  readonly key: string;
  /** One plain sentence for --help and docs/config.md. */
  readonly describe: string;
  /** A token or the like: its value is never printed. */
  readonly secret?: boolean;
}

/**
 * One configurable value as plain data. `cli` turns tables of these into schema, flags, environment and docs.
 * Durations are kept in seconds and sizes in bytes; people write `10s`, `2h`, `64MiB`.
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
  | (SettingBase & { readonly kind: 'size'; readonly default: number })
  | (SettingBase & { readonly kind: 'list'; readonly default: readonly string[] })
  /** A list of tables, which only a file holds in comfort; the folder that owns the setting reads what is in them. */
  | (SettingBase & {
      readonly kind: 'records';
      readonly default: readonly Readonly<Record<string, unknown>>[];
    });
