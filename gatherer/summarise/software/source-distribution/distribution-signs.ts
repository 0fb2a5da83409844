import { languageOfName } from '../../../../readers/code/index.ts';

/** Build files of a source tree, in lower case. */
const buildNames: ReadonlySet<string> = new Set(
  `configure configure.ac configure.in makefile makefile.in makefile.am makefile.pl makefile.unx makefile.msc gnumakefile
  bsdmakefile imakefile cmakelists.txt meson.build sconstruct wscript build.bazel module.bazel workspace setup.py
  setup.cfg pyproject.toml cargo.toml package.json composer.json go.mod pom.xml build.gradle build.gradle.kts build.xml
  build.sbt build.zig build.pl dist.ini rakefile gemfile mix.exs rebar.config dune-project stack.yaml project.clj
  deps.edn package.swift description`.split(/\s+/),
);
const buildEnding = /\.(?:gemspec|cabal|opam|sln|csproj|vcxproj|pro|rockspec|nimble|asd|spec)$/;

/** Documents that are read by themselves in any folder. */
const page = /\.(?:x?html?|shtml|pdf|ps|docx?|odt|rtf|tex|epub|pptx?)$/;
/** The same, except at the top, where they describe the sources. */
const prose = /\.(?:md|markdown|rst|adoc|asciidoc)$/;

/** Max documents per source file; beyond it an archive is a collection of documents. */
const maxDocuments = 2;

/** Whether names make an archive a source distribution: a build file at its top, and mainly sources. */
export class DistributionSigns {
  #folder: string | undefined;
  #spread = false;
  #builtAtRoot = false;
  #builtInFolder = false;
  #sources = 0;
  #documents = 0;

  /** `path`: relative, with slashes. */
  add(path: string): void {
    const steps = path.toLowerCase().split('/');
    const [first = ''] = steps;
    const name = steps.at(-1) ?? '';
    // A Macintosh adds these to each file of its archives.
    if (first === '__macosx' || name.startsWith('._')) return;
    this.#folder ??= first;
    if (steps.length === 1 || first !== this.#folder) this.#spread = true;
    if (buildNames.has(name) || buildEnding.test(name)) this.#builtBy(steps.length);
    else if (name === 'control' && steps.at(-2) === 'debian') this.#builtBy(steps.length - 1);
    const language = languageOfName(name)?.name;
    // Style sheets belong to pages.
    if (language !== undefined && language !== 'CSS') this.#sources++;
    else if (page.test(name) || (steps.length > 2 && prose.test(name))) this.#documents++;
  }

  /** Whether the names so far are those of a source distribution. */
  get found(): boolean {
    const built = this.#spread ? this.#builtAtRoot : this.#builtInFolder;
    return built && this.#sources > 0 && this.#documents <= maxDocuments * this.#sources;
  }

  #builtBy(depth: number): void {
    if (depth === 1) this.#builtAtRoot = true;
    if (depth === 2) this.#builtInFolder = true;
  }
}
