// The texts of the package that depend on its version or content.

/** Named as maintainer in the package's control file; the domain is reserved for examples. */
const maintainer = 'The Garner project <garner@example.org>';

export interface PackageFacts {
  readonly version: string;
  readonly architecture: string;
  readonly kibibytes: number;
  /** One sentence about the program. */
  readonly describe: string;
}

/** A sentence as lines of a long description. */
function wrapped(text: string): string {
  return `${text}.`.replace(/(.{1,76})(?:\s+|$)/g, ' $1\n').trimEnd();
}

/** DEBIAN/control. */
export function control({ version, architecture, kibibytes, describe }: PackageFacts): string {
  return `Package: garner
Version: ${version}
Architecture: ${architecture}
Maintainer: ${maintainer}
Installed-Size: ${kibibytes}
Depends: nodejs (>= 20.19), adduser, libc6, libstdc++6
Suggests: systemd, git
Section: web
Priority: optional
Description: federated search over many sites
${wrapped(describe)}
 .
 The package has the programs garner, gatherer and broker, three systemd
 units that are not started by the installation, and man pages.
`;
}

/** The change log in Debian's form: one entry, because the project's own change log lies beside it. */
export function debianChangelog(version: string, date: Date): string {
  return `garner (${version}) unstable; urgency=medium

  * What changes is in CHANGELOG.md.gz beside this file.

 -- ${maintainer}  ${date.toUTCString().replace('GMT', '+0000')}
`;
}

/** /usr/share/doc/garner/copyright, in the machine-readable form. */
export function copyright(libraries: readonly string[], date: Date): string {
  return `Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: garner

Files: *
Copyright: ${date.getUTCFullYear()} The Garner authors
License: Apache-2.0

License: Apache-2.0
 On Debian systems the full text is in /usr/share/common-licenses/Apache-2.0.

Files: usr/lib/garner/node_modules/*
Copyright: the authors of each library, as its folder names them
License: various
Comment:
 Each library keeps the text of its licence in its own folder.
${libraries.map((line) => ` ${line}`).join('\n')}

License: various
 The licence of each library is named above.
`;
}
