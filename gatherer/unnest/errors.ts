import { defineErrors } from '../../kernel/index.ts';

interface Inside {
  /** The name inside its wrapper, or the wrapper's own name for the whole wrapper. */
  readonly path: string;
}

/** Reasons why a wrapped document was not taken out. None of them ends a run. */
export const unnestErrors = defineErrors({
  UNNEST_RATIO: {
    message: ({ path, ratio }: Inside & { readonly ratio: number }) =>
      `${path} unpacks to more than ${ratio} times the bytes of its outermost document.`,
    hint: () => 'It looks like a decompression bomb; if it is not, raise gatherer.unnest-max-ratio.',
    exit: 3,
    retry: 'never',
  },
  UNNEST_DEPTH: {
    message: ({ path, depth }: Inside & { readonly depth: number }) =>
      `${path} lies deeper than ${depth} wrappers in its document.`,
    hint: () => 'Unpack the document where it is published, or raise gatherer.unnest-max-depth.',
    exit: 3,
    retry: 'never',
  },
  UNNEST_COUNT: {
    message: ({ path, members }: Inside & { readonly members: number }) =>
      `${path} exceeds ${members} members of its outermost document; the rest of it was left out.`,
    hint: () => 'Unpack the document where it is published, or raise gatherer.unnest-max-members.',
    exit: 3,
    retry: 'never',
  },
  UNNEST_SIZE: {
    message: ({ path, bytes, what }: Inside & { readonly bytes: number; readonly what: string }) =>
      `${path} is too large: more than ${bytes} bytes ${what}.`,
    hint: () => 'Raise gatherer.unnest-max-member-bytes or gatherer.unnest-max-bytes if it is wanted.',
    exit: 3,
    retry: 'never',
  },
  UNNEST_PATH: {
    message: ({ path, reason }: Inside & { readonly reason: string }) =>
      `${JSON.stringify(path)} was not taken out of its archive: it is ${reason}.`,
    hint: () => 'Only plain files with plain relative names are gathered from an archive.',
    exit: 3,
    retry: 'never',
  },
  UNNEST_BROKEN: {
    message: ({ path, reason }: Inside & { readonly reason: string }) =>
      `${path} could not be unpacked: ${reason}.`,
    hint: () => 'Check that the published file is complete; the documents before the fault were gathered.',
    exit: 3,
    retry: 'never',
  },
  UNNEST_FORMAT: {
    message: ({ path, reason }: Inside & { readonly reason: string }) =>
      `${path} was left packed: ${reason}.`,
    hint: () =>
      'Publish it in a common format such as tar, zip, gzip or xz, so that its contents can be found.',
    exit: 3,
    retry: 'never',
  },
  UNNEST_TOOL: {
    message: ({ path, tools }: Inside & { readonly tools: readonly string[] }) =>
      `${path} was left packed: it needs ${tools.join(' or ')}, which this machine does not have.`,
    hint: () => 'Install bsdtar (Debian has it in libarchive-tools), and gather again.',
    exit: 3,
    retry: 'later',
  },
  UNNEST_TROUBLE: {
    message: ({ path, reason }: Inside & { readonly reason: string }) =>
      `${path} was left packed by a fault of this machine: ${reason}.`,
    hint: () =>
      'Check that bsdtar runs by hand, and that the folder for temporary files has space; it is tried again later.',
    exit: 3,
    retry: 'later',
  },
});
