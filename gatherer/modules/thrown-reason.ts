const longest = 300;

/** What somebody else's code threw, in a few words; it may be anything at all. */
export function thrownReason(thrown: unknown): string {
  try {
    const said = thrown instanceof Error ? thrown.message || thrown.name : String(thrown);
    return String(said).split('\n', 1)[0]?.slice(0, longest).trim() || 'it does not say why';
  } catch {
    return 'it does not say why';
  }
}
