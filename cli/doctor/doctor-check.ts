/** What one check of `garner doctor` found; the cure is what to do about it. */
export interface Finding {
  readonly ok: boolean;
  readonly what: string;
  readonly cure?: string;
}
