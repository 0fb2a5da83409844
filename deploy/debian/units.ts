// The systemd units of the package: those of deploy/systemd with the package's user, folders and programs.

/** Each unit with the command that it runs in the package. */
export const unitCommands: Readonly<Record<string, string>> = {
  'garner-gatherer': 'gatherer serve --data /var/lib/garner --port 8500',
  'garner-broker': 'broker serve --data /var/lib/garner --port 8501',
  'garner-cache': 'cache serve --data /var/lib/garner --port 3128 --admin-port 3129',
};

const header = [
  '# Installed by the Debian package garner. Settings are in /etc/garner/garner.yaml, data is in /var/lib/garner.',
  '# Change this unit with systemctl edit.',
];

/** What a line of a unit becomes; undefined where it stays as it is. Throws at a unit that has another form. */
function adapted(name: string): Readonly<Record<string, readonly string[]>> {
  const command = unitCommands[name];
  if (command === undefined) throw new TypeError(`the package has no unit ${name}`);
  return {
    ExecStart: [`ExecStart=/usr/bin/garner ${command}`],
    DynamicUser: ['User=garner', 'Group=garner'],
    StateDirectory: ['StateDirectory=garner'],
  };
}

/** The unit `name` of the package, out of the text of the unit in deploy/systemd. */
export function packagedUnit(name: string, text: string): string {
  const changes = adapted(name);
  const missing = new Set(Object.keys(changes));
  const lines = text.slice(text.indexOf('[Unit]')).split('\n');
  const changed = lines.flatMap((line, at) => {
    const key = line.split('=', 1)[0] ?? '';
    // A comment about a line that changes is not true of the changed one.
    if (line.startsWith('#') && lines[at + 1]?.startsWith('DynamicUser=')) return [];
    missing.delete(key);
    return changes[key] ?? [line];
  });
  if (missing.size > 0) throw new TypeError(`${name} has no ${[...missing].join(', ')}`);
  return [...header, ...changed].join('\n');
}
