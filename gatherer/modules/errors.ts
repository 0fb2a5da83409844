import { defineErrors } from '../../kernel/index.ts';

/** A module as configured, and its fault. */
interface Problem {
  readonly module: string;
  readonly reason: string;
}

/** Faults of a summariser module. Those with exit code 2 are found at start, the others at a document. */
export const moduleErrors = defineErrors({
  MODULE_ABSENT: {
    message: ({ module, reason }: Problem) => `the module ${module} cannot be read: ${reason}`,
    hint: () => 'name a file, relative to the folder of garner.yaml, such as ./my-summariser.js',
    exit: 2,
    retry: 'never',
  },
  MODULE_TYPESCRIPT: {
    message: ({ module, node }: { module: string; node: string }) =>
      `the module ${module} is TypeScript, which Node ${node} does not load`,
    hint: () => 'compile it to JavaScript and name that file, or run Garner with Node 22.18 or newer',
    exit: 2,
    retry: 'never',
  },
  MODULE_LOAD: {
    message: ({ module, reason }: Problem) => `the module ${module} cannot be loaded: ${reason}`,
    hint: () => 'correct it until node runs the file by itself without an error',
    exit: 2,
    retry: 'never',
  },
  MODULE_EXPORT: {
    message: ({ module }: { module: string }) => `the module ${module} exports no function called summarise`,
    hint: () => 'write in it   export function summarise(document) { return { Title: document.name }; }',
    exit: 2,
    retry: 'never',
  },
  MODULE_CHANGED: {
    message: ({ module }: { module: string }) =>
      `the module ${module} has changed since the Gatherer started`,
    hint: () => 'restart the Gatherer; it then reads every document again',
    exit: 3,
    retry: 'never',
  },
  MODULE_FAILED: {
    message: ({ module, reason }: Problem) => `the module ${module} failed: ${reason}`,
    hint: () => 'try it with the same document: garner gatherer try FILE',
    exit: 3,
    retry: 'later',
  },
  MODULE_OUTPUT: {
    message: ({ module, reason }: Problem) => `the module ${module} returned no valid attributes: ${reason}`,
    hint: () => "return attributes by name, such as { Title: 'Hello', Author: ['Ann', 'Bob'] }",
    exit: 3,
    retry: 'never',
  },
});

const maxReason = 300;

/** A short text for a value that foreign code threw; the value may be anything. */
export function thrownReason(thrown: unknown): string {
  try {
    const text = thrown instanceof Error ? thrown.message || thrown.name : String(thrown);
    return String(text).split('\n', 1)[0]?.slice(0, maxReason).trim() || 'it does not say why';
  } catch {
    return 'it does not say why';
  }
}
