/** How a summary uses the argument of a command. */
export type ArgumentRole =
  | 'title'
  | 'author'
  | 'date'
  | 'institution'
  | 'keywords'
  | 'abstract'
  | 'heading'
  | 'index'
  | 'note'
  | 'drop';

const roles: Readonly<Record<ArgumentRole, string>> = {
  title: 'title Title maintitle',
  author: 'author authors Author',
  date: 'date',
  institution: 'institute institution affiliation affil address organization',
  keywords: 'keywords keyword Keywords',
  abstract: 'abstract',
  heading:
    'part chapter section subsection subsubsection paragraph subparagraph addchap addsec frametitle ' +
    'beginsection head subhead heading sect subsect',
  index: 'index',
  // Words apart from the surrounding sentence.
  note: 'footnote marginpar thanks footnotetext sidenote caption',
  drop:
    'vspace hspace pagestyle thispagestyle pagenumbering bibliographystyle color definecolor fontsize selectfont ' +
    'fontencoding fontfamily setlength addtolength setcounter addtocounter usetikzlibrary geometry hypersetup ' +
    'newlength newcounter phantom hphantom vphantom rule tikz includegraphics label hyphenation ProvidesFile ' +
    'RequirePackage usepackage documentstyle newtheorem theoremstyle markboth markright PassOptionsToPackage ' +
    'setmainfont setsansfont setmonofont graphicspath lstset sisetup pgfplotsset specialcomment textcolor ' +
    'colorbox parbox raisebox enlargethispage hypertarget nocite pdfbookmark addcontentsline counterwithin ' +
    'DeclareMathOperator bibitem ref eqref pageref autoref cref Cref nameref vref hskip vskip numberwithin',
};

/** Commands whose argument is not running text, by name; any other leaves its argument as text. */
export const argumentRoles: ReadonlyMap<string, ArgumentRole> = new Map(
  Object.entries(roles).flatMap(([role, names]) =>
    names.split(' ').map((name) => [name, role as ArgumentRole] as const),
  ),
);

/** How many further arguments in braces a dropping command has before any text: `\setlength{\x}{1pt}`. */
export const furtherDropped: ReadonlyMap<string, number> = new Map([
  ['setlength', 1],
  ['addtolength', 1],
  ['setcounter', 1],
  ['addtocounter', 1],
  ['definecolor', 2],
  ['fontsize', 1],
  ['rule', 1],
  ['newtheorem', 1],
  ['markboth', 1],
  ['addcontentsline', 2],
  ['DeclareMathOperator', 1],
  ['counterwithin', 1],
  ['numberwithin', 1],
  ['pdfbookmark', 1],
]);

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '));

/** Environments of mathematics and drawing, with few words. */
export const droppedEnvironments = words(
  'equation equation* align align* gather gather* multline multline* eqnarray eqnarray* displaymath math alignat ' +
    'alignat* flalign flalign* IEEEeqnarray tikzpicture picture pspicture comment filecontents filecontents* CJKfilt ' +
    'tikzcd forest asy pycode luacode luacode* xy dmath dmath*',
);

/** Environments whose content is kept verbatim. */
export const verbatimEnvironments = words(
  'verbatim verbatim* Verbatim Verbatim* lstlisting minted alltt code BVerbatim LVerbatim verbatimtab macrocode ' +
    'program boxedverbatim listing',
);

/** Environments that have arguments of their own before the text. */
export const environmentArguments: ReadonlyMap<string, number> = new Map([
  ['tabular', 1],
  ['tabular*', 2],
  ['tabularx', 2],
  ['tabulary', 2],
  ['longtable', 1],
  ['array', 1],
  ['minipage', 1],
  ['multicols', 1],
  ['thebibliography', 1],
  ['wrapfigure', 2],
  ['list', 2],
  ['CJK', 2],
  ['adjustbox', 1],
]);

/** Commands that define others. */
export const definingCommands = words(
  'newcommand renewcommand providecommand DeclareRobustCommand newcommand* renewcommand* providecommand* def gdef edef ' +
    'xdef long let newenvironment renewenvironment newenvironment* DeclareTextCommand futurelet',
);
