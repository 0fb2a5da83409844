/** How the words of a directive are used. */
export type DirectiveKind =
  | 'body' // Its content is text like any other.
  | 'code' // Its content is kept as it is.
  | 'silent' // Neither argument nor content is for reading.
  | 'picture'
  | 'contents'
  | 'include'
  | 'meta'
  | 'index'
  | 'definition'
  | 'title';

const kinds: Readonly<Record<Exclude<DirectiveKind, 'definition'>, string>> = {
  body:
    'attention caution danger error hint important note tip warning admonition seealso versionadded versionchanged ' +
    'deprecated deprecated-removed versionremoved topic sidebar epigraph highlights pull-quote compound container ' +
    'only rubric centered hlist table list-table line-block impl-detail availability glossary tab-set tab-item ' +
    'dropdown grid tabs tab group-tab details abstract todo',
  code:
    'code code-block sourcecode parsed-literal prompt doctest testcode testoutput testsetup productionlist ' +
    'csv-table console ipython graphviz digraph',
  silent:
    'raw math default-role highlight highlightlang sectionauthor codeauthor tabularcolumns class role sectnum ' +
    'default-domain unicode date header footer target-notes contents testcleanup automodule autofunction autoclass ' +
    'automethod autodata autosummary sphinx-design restructuredtext-test-directive',
  picture: 'image figure',
  contents: 'toctree',
  include: 'include literalinclude',
  meta: 'meta',
  index: 'index',
  title: 'title',
};

const byName: ReadonlyMap<string, DirectiveKind> = new Map(
  Object.entries(kinds).flatMap(([kind, names]) =>
    names.split(' ').map((name) => [name, kind as DirectiveKind] as const),
  ),
);

const defining =
  /^(?:\w{1,20}:)?(?:module|currentmodule|function|macro|type|struct|enum|enumerator|union|var|member|data|exception|class|attribute|property|method|classmethod|staticmethod|decorator|decoratormethod|opcode|coroutinefunction|coroutinemethod|awaitablefunction|abstractmethod|cmdoption|option|program|envvar|directive|role|describe|object|confval|setting|command|variable|generator|signature|option-group|rst|pdbcommand|2to3fixer|audit-event)$/;

/** Directives of docutils, Sphinx and the manuals of Python and CMake in a summary; unknown ones are text. */
export function directiveKind(name: string): DirectiveKind {
  const kind = byName.get(name.toLowerCase());
  // Sphinx's `class` describes one in Python; docutils' sets a style and is rarer.
  if (name === 'class') return 'definition';
  if (kind !== undefined) return kind;
  return defining.test(name) ? 'definition' : 'body';
}
