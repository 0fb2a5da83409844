import { defineErrors } from '../../kernel/index.ts';

/** Faults of a program that an operator names. */
export const programErrors = defineErrors({
  PROGRAM_ABSENT: {
    message: ({ program }: { program: string }) => `the program ${program} cannot be started`,
    hint: ({ program }: { program: string }) =>
      /\S\s+\S/.test(program)
        ? `if these are a program and its arguments, write a list: [${program.trim().split(/\s+/).join(', ')}]`
        : 'install it, or give its full path; it must be executable by the user the Gatherer runs as',
    exit: 2,
    retry: 'later',
  },
  PROGRAM_FAILED: {
    message: ({ program, reason }: { program: string; reason: string }) => `${program} failed: ${reason}`,
    hint: () => 'run it by hand on the same document; it reads standard input and ends with status 0',
    exit: 3,
    retry: 'later',
  },
  PROGRAM_LIMIT: {
    message: ({ program, limit }: { program: string; limit: string }) =>
      `${program} was ended: more than ${limit}`,
    hint: () => 'make it faster or more frugal, or leave such documents out',
    exit: 3,
    retry: 'later',
  },
});
