/** The kind of a name in a program. */
export type DefinitionKind = 'function' | 'class' | 'type' | 'constant' | 'import' | 'package';

/** A pattern for one line of code without comments; its first group is the name. Each is linear in the line. */
export type DefinitionPattern = readonly [pattern: RegExp, kind: DefinitionKind];

const ecmaImport: readonly DefinitionPattern[] = [
  [/^\s*(?:import|export)\b.*?\bfrom\s*["']([^"']+)["']/, 'import'],
  [/^\s*\}\s*from\s*["']([^"']+)["']/, 'import'],
  [/^\s*import\s*["']([^"']+)["']/, 'import'],
  [/\b(?:require|import)\(\s*["']([^"']+)["']\s*\)/, 'import'],
];

const ecma: readonly DefinitionPattern[] = [
  ...ecmaImport,
  [/^\s*(?:export\s+)?(?:default\s+)?(?:declare\s+)?(?:async\s+)?function\s*\*?\s*([\w$]+)/, 'function'],
  [/^\s*(?:export\s+)?(?:default\s+)?(?:declare\s+)?(?:abstract\s+)?class\s+([\w$]+)/, 'class'],
  [/^\s*(?:export\s+)?(?:declare\s+)?(?:const\s+)?(?:interface|enum|namespace)\s+([A-Za-z_$][\w$]*)/, 'type'],
  [/^\s*(?:export\s+)?(?:declare\s+)?type\s+([A-Za-z_$][\w$]*)\s*[<=]/, 'type'],
  [
    /^(?:export\s+)?(?:const|let|var)\s+([\w$]+)\s*=\s*(?:async\s+)?(?:function\b|\([^()]*\)\s*(?::[^=]*)?=>|\w+\s*=>)/,
    'function',
  ],
  [/^\s*(?:module\.)?exports\.([\w$]+)\s*=/, 'function'],
  [/^\s*[\w$]+(?:\.[\w$]+)*\.([\w$]+)\s*=\s*(?:async\s+)?function\b/, 'function'],
  [/^\s*([\w$]+)\s*:\s*(?:async\s+)?function\b/, 'function'],
  [
    /^\s+(?:(?:public|private|protected|static|readonly|async|get|set|override|abstract)\s+)*\*?(?!(?:if|for|while|switch|catch|return|function|constructor|with|do|else)\b)(#?[\w$]+)\s*(?:<[^()]{0,80}>)?\([^()]*\)\s*(?::[^{=]{1,120})?\{\s*$/,
    'function',
  ],
  [/^\s*export\s+(?:declare\s+)?(?:const|let|var)\s+([\w$]+)/, 'constant'],
  [/^const\s+([A-Z][A-Z\d_]+)\b/, 'constant'],
];

const shellFunctions: readonly DefinitionPattern[] = [
  [/^\s*(?:function\s+)?([\w.:-]+)\s*\(\s*\)/, 'function'],
  [/^\s*function\s+([\w.:-]+)/, 'function'],
  [/^\s*(?:\.|source)\s+["']?([\w./${}-]+)/, 'import'],
  [/^\s*(?:readonly|declare\s+-r)\s+(\w+)=/, 'constant'],
  [/^\s*export\s+(\w+)=/, 'constant'],
];

/** Patterns by language, for languages whose definitions are found line by line. */
export const definitionPatterns = {
  ecma,
  css: [
    [/^\s*@import\s+(?:url\()?\s*["']?([^"')\s;]+)/, 'import'],
    [/^\s*(--[\w-]+)\s*:/, 'constant'],
    [/^\s*[$@]([\w-]+)\s*:/, 'constant'],
    [/^\s*@(?:mixin|function)\s+([\w-]+)/, 'function'],
    [/^\s*([.#][\w-]+)[^;]*[{,]\s*$/, 'class'],
  ],
  python: [
    [/^\s*(?:async\s+)?def\s+(\w+)/, 'function'],
    [/^\s*class\s+(\w+)/, 'class'],
    [/^\s*from\s+([\w.]+)\s+import\b/, 'import'],
    [/^\s*import\s+([\w.]+)/, 'import'],
    [/^([A-Z][A-Z\d_]+)\s*(?::[^=]+)?=[^=]/, 'constant'],
    [/^type\s+(\w+)\s*[=[]/, 'type'],
  ],
  perl: [
    [/^\s*sub\s+([\w:']+)/, 'function'],
    [/^\s*package\s+([\w:]+)/, 'package'],
    [/^\s*(?:use|require|no)\s+([A-Za-z]\w*(?:::\w+)*)/, 'import'],
    [/^\s*use\s+constant\s+(\w+)/, 'constant'],
    [/^\s*(?:our|Readonly)\s+[$@%](\w+)/, 'constant'],
  ],
  shell: shellFunctions,
  tcl: [
    [/^\s*proc\s+\{?([^\s{}]+)/, 'function'],
    [/^\s*(?:method|typemethod)\s+([^\s{}]+)/, 'function'],
    [/^\s*(?:oo::class\s+create|itcl::class|snit::type)\s+([^\s{}]+)/, 'class'],
    [/^\s*package\s+require\s+(?:-exact\s+)?([\w:]+)/, 'import'],
    [/^\s*package\s+provide\s+([\w:]+)/, 'package'],
    [/^\s*namespace\s+eval\s+([\w:]+)/, 'package'],
    [/^\s*source\s+([\w./[\]$ -]+)/, 'import'],
  ],
  matlab: [
    [/^\s*function\s+(?:[^=\n]{0,200}=\s*)?([A-Za-z][\w.]*)/, 'function'],
    [/^\s*classdef\s+(?:\([^)]*\)\s*)?(\w+)/, 'class'],
    [/^\s*import\s+([\w.*]+)/, 'import'],
  ],
  prolog: [
    [/^:-\s*module\s*\(?\s*'?([\w.]+)/, 'package'],
    [
      /^:-\s*(?:use_module|ensure_loaded|import_module|include)\s*\(?\s*(?:library\()?['"]?([\w./]+)/,
      'import',
    ],
    [/^:-\s*(?:pred|func|type|mode)\s+([a-z]\w*)/, 'function'],
    [/^([a-z]\w*)(?:\([^\n]*\))?\s*(?::-|-->)/, 'function'],
  ],
  awk: [
    [/^\s*func(?:tion)?\s+(\w+)\s*\(/, 'function'],
    [/^\s*@include\s+["']([^"']+)/, 'import'],
  ],
  ruby: [
    [/^\s*def\s+((?:self\.)?[\w.]+[?!=]?)/, 'function'],
    [/^\s*class\s+([A-Z][\w:]*)/, 'class'],
    [/^\s*module\s+([A-Z][\w:]*)/, 'package'],
    [/^\s*require(?:_relative)?\s*\(?\s*["']([^"']+)/, 'import'],
    [/^\s*([A-Z][A-Z\d_]+)\s*=[^=~]/, 'constant'],
  ],
  php: [
    [/^\s*(?:(?:public|private|protected|static|final|abstract)\s+)*function\s+&?(\w+)/, 'function'],
    [/^\s*(?:(?:abstract|final|readonly)\s+)*class\s+(\w+)/, 'class'],
    [/^\s*(?:interface|trait|enum)\s+(\w+)/, 'type'],
    [/^\s*namespace\s+([\w\\]+)/, 'package'],
    [/^\s*use\s+([A-Z\\][\w\\]+)/, 'import'],
    [/\b(?:require|include)(?:_once)?\s*\(?\s*["']([^"']+)/, 'import'],
    [/^\s*(?:(?:public|private|protected)\s+)?const\s+(\w+)/, 'constant'],
    [/\bdefine\(\s*["'](\w+)/, 'constant'],
  ],
  go: [
    [/^package\s+(\w+)/, 'package'],
    [/^func\s+(?:\([^()]*\)\s*)?(\w+)/, 'function'],
    [/^type\s+(\w+)/, 'type'],
    [/^\s*(?:import\s+)?(?:[\w.]+\s+)?"([\w./-]+)"\s*$/, 'import'],
    [/^(?:const|var)\s+([A-Z]\w*)/, 'constant'],
    [/^\t([A-Z]\w*)(?:\s+[\w.]+)?\s*=\s/, 'constant'],
  ],
  rust: [
    [
      /^\s*(?:pub(?:\([^()]*\))?\s+)?(?:(?:const|async|unsafe|default|extern\s+""|extern\s+"[\w-]*")\s+)*fn\s+(\w+)/,
      'function',
    ],
    [/^\s*(?:pub(?:\([^()]*\))?\s+)?(?:struct|enum|union|trait|type)\s+(\w+)/, 'type'],
    [/^\s*(?:pub(?:\([^()]*\))?\s+)?(?:const|static)\s+(?:mut\s+)?([A-Z]\w*)\s*:/, 'constant'],
    [/^\s*(?:pub(?:\([^()]*\))?\s+)?use\s+([\w:]+)/, 'import'],
    [/^\s*(?:pub(?:\([^()]*\))?\s+)?mod\s+(\w+)/, 'package'],
    [/^\s*macro_rules!\s+(\w+)/, 'function'],
  ],
  swift: [
    [
      /^\s*(?:@\w+\s+)*(?:(?:public|private|internal|open|static|override|final|suspend|inline|operator|fileprivate|mutating)\s+)*fun(?:c)?\s+(?:<[^<>]{1,80}>\s*)?([\w.`]+)/,
      'function',
    ],
    [
      /^\s*(?:(?:public|private|internal|open|abstract|data|sealed|final|enum|inner|case|implicit|fileprivate)\s+)*(?:class|struct|object|actor)\s+(\w+)/,
      'class',
    ],
    [
      /^\s*(?:(?:public|private|internal|sealed|open)\s+)*(?:interface|protocol|trait|enum|typealias|type)\s+(\w+)/,
      'type',
    ],
    [/^\s*(?:(?:override|private|final|implicit|protected)\s+)*def\s+(\w+)/, 'function'],
    [/^\s*import\s+([\w.]+)/, 'import'],
    [/^\s*package\s+([\w.]+)/, 'package'],
  ],
  lisp: [
    [
      /^\s*\((?:cl-)?(?:defun|defmacro|defgeneric|defmethod|defsubst|define-minor-mode|define-derived-mode|defn-?)\*?\s+\(?([^\s()]+)/,
      'function',
    ],
    [/^\s*\((?:define|define-syntax|define\*)\s+\(+([^\s()]+)/, 'function'],
    [/^\s*\((?:defclass|defstruct|cl-defstruct|define-record-type|deftype)\s+\(?([^\s()]+)/, 'type'],
    [/^\s*\((?:defvar|defconst|defcustom|defconstant|defparameter|define|def)\s+([^\s()]+)/, 'constant'],
    [/^\s*\((?:require|use-modules|import|load)\s+['"(]*([^\s()'"]+)/, 'import'],
    [/^\s*\((?:provide|defpackage|in-package|ns|define-module)\s+['":(]*([^\s()'"]+)/, 'package'],
  ],
  sql: [
    [
      /^\s*create\s+(?:or\s+replace\s+)?(?:temp(?:orary)?\s+)?(?:unlogged\s+)?(?:virtual\s+)?table\s+(?:if\s+not\s+exists\s+)?([\w."`[\]]+)/i,
      'type',
    ],
    [
      /^\s*create\s+(?:or\s+replace\s+)?(?:materialized\s+)?view\s+(?:if\s+not\s+exists\s+)?([\w."`[\]]+)/i,
      'type',
    ],
    [
      /^\s*create\s+(?:or\s+replace\s+)?(?:function|procedure|trigger|aggregate)\s+(?:if\s+not\s+exists\s+)?([\w."`[\]]+)/i,
      'function',
    ],
    [
      /^\s*create\s+(?:type|domain|sequence|schema|database)\s+(?:if\s+not\s+exists\s+)?([\w."`[\]]+)/i,
      'type',
    ],
    [/^\s*create\s+(?:unique\s+)?index\s+(?:if\s+not\s+exists\s+)?([\w."`[\]]+)/i, 'constant'],
    [/^\s*(?:\\i|source|\.read)\s+(\S+)/i, 'import'],
  ],
  fortran: [
    [/^\s*(?:\d+\s+)?(?:(?:recursive|pure|elemental|impure|module)\s+)*(?:subroutine)\s+(\w+)/i, 'function'],
    [/^\s*(?!end)(?:[\w*() ,=]{0,60}\s)?function\s+(\w+)\s*\(/i, 'function'],
    [/^\s*(?:program|block\s*data)\s+(\w+)/i, 'package'],
    [/^\s*(?:sub)?module\s+(?!procedure)(?:\([^()]*\)\s*)?(\w+)\s*$/i, 'package'],
    [/^\s*type\s*(?:,[^:]*)?(?:::)?\s+(?!is\b)(\w+)\s*$/i, 'type'],
    [/^\s*(?:use)\s*(?:,\s*intrinsic\s*)?(?:::)?\s*(\w+)/i, 'import'],
    [/^\s*include\s+["']([^"']+)/i, 'import'],
    [/^\s*parameter\s*\(\s*(\w+)/i, 'constant'],
    [/^\s*[\w*() ]{1,60},[^:]*\bparameter\b[^:]*::\s*(\w+)/i, 'constant'],
  ],
  haskell: [
    [/^(\w[\w']*)\s*::/, 'function'],
    [/^\s*(?:data|newtype|type|class)\s+(?:[^=]*=>\s*)?([A-Z]\w*)/, 'type'],
    [/^\s*import\s+(?:qualified\s+)?([A-Z][\w.]*)/, 'import'],
    [/^module\s+([A-Z][\w.]*)/, 'package'],
    [/^\s*(?:local\s+)?function\s+([\w.:]+)/, 'function'],
    [/\brequire\s*\(?\s*["']([^"']+)/, 'import'],
    [/^\s*(?:procedure|function|package|entity|architecture)\s+(?:body\s+)?([\w.]+)/i, 'function'],
  ],
  ocaml: [
    [/^\s*let\s+(?:rec\s+)?([a-z_][\w']*)/, 'function'],
    [/^\s*(?:val|external)\s+([\w']+)/, 'function'],
    [/^\s*type\s+(?:[^=]{0,40}\s)?([a-z_]\w*)\s*(?:=|$)/, 'type'],
    [/^\s*(?:module|signature|structure|functor)\s+(?:type\s+)?([A-Z]\w*)/, 'package'],
    [/^\s*open\s+([A-Z][\w.]*)/, 'import'],
    [/^\s*(?:procedure|function|constructor|destructor)\s+([\w.]+)/i, 'function'],
    [/^\s*(?:program|unit|library)\s+(\w+)/i, 'package'],
  ],
  r: [
    [/^\s*([\w.]+)\s*(?:<-|=)\s*function\b/, 'function'],
    [/\b(?:library|require)\(\s*["']?([\w.]+)/, 'import'],
    [/\bset(?:Class|RefClass)\(\s*["']([\w.]+)/, 'class'],
  ],
  assembly: [
    [/^\s*\.(?:globl|global)\s+([\w.$@]+)/, 'function'],
    [/^\s*(?:global|public)\s+([\w.$@]+)/i, 'function'],
    [/^([A-Za-z_][\w$]*):/, 'function'],
    [/^\s*[#.%]?include\s+["<]?([\w./-]+)/, 'import'],
    [/^\s*(?:\.(?:equ|set)\s+|%define\s+)(\w+)/, 'constant'],
    [/^\s*\.?macro\s+(\w+)/i, 'function'],
  ],
  plain: [],
} as const satisfies Readonly<Record<string, readonly DefinitionPattern[]>>;

/** A set of patterns by name. */
export type PatternsName = keyof typeof definitionPatterns;
