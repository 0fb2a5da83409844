const ownNames =
  /^(?:Type|File-Size|MD5|Last-Modification-Time|Summary-Note|Update-Time|Gatherer-(?:Name|Host|Version))$/i;

/** Whether an attribute is what Garner says of every document itself, which no module may. */
export function isOwnName(name: string): boolean {
  return ownNames.test(name);
}
