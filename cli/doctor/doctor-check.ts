/** The result of one check of `garner doctor`, with a cure where something is to be done. */
export interface Finding {
  readonly ok: boolean;
  readonly what: string;
  readonly cure?: string;
  /** Nothing is wrong, and something is less than it could be. */
  readonly note?: true;
}

export const well = (what: string): Finding => ({ ok: true, what });
export const noted = (what: string, cure?: string): Finding => ({
  ok: true,
  what,
  note: true,
  ...(cure !== undefined && { cure }),
});
export const faulty = (what: string, cure: string): Finding => ({ ok: false, what, cure });
