import type { Area } from './feature.ts';

export const config: Area = {
  'config.precedence': {
    feature:
      'A flag counts before the environment, the environment before the file, the file before the default.',
    test: 'flag goes before environment, environment before file, file before default',
  },
  'config.kinds': {
    feature: 'Durations, sizes, lists and switches are read from the file as people write them.',
    test: 'every kind is read from a file as people write it',
  },
  'config.place': {
    feature: 'A mistake in the file is reported with its line and a cure.',
    test: 'a mistake in a file names line and cure',
  },
  'config.sources': {
    feature: 'A mistake in a variable or flag names it.',
    test: 'a mistake in a variable or a flag names it',
  },
  'config.outweighed': {
    feature: 'A mistake in the file is refused although a flag outweighs it.',
    test: 'what stands wrong in a file is refused though a flag or a variable outweighs it',
  },
  'config.addresses': {
    feature: 'Addresses and tokens that cannot be used are refused when the configuration is read.',
    test: 'addresses and tokens that cannot be used are refused where the configuration is read',
  },
  'config.secrets': { feature: 'A secret is in no message.', test: 'a secret is in no message' },
  'config.any-file': {
    feature: 'Any text as a configuration file gives a typed error at worst.',
    test: 'no file text does more than throw a typed error',
  },
  'config.schema': {
    feature: 'Editors get a JSON Schema of the configuration.',
    test: 'editors get a JSON Schema that nests as the file does',
  },
  'config.ports': {
    feature: 'A port in the file is refused with the option that sets it.',
    test: 'a port in the configuration is refused with that of the part that it is for',
  },
  'config.file': {
    feature: '`garner.yaml` of the current folder counts, or the file that `--config` names.',
    test: 'garner.yaml of the current folder counts, or the one that is named',
  },
  'config.flags': {
    feature: 'Every setting is a flag too.',
    test: 'settings are flags: short where free, whole always, and where they came from is kept',
  },
  'config.types': {
    feature: 'A type that does not exist is refused wherever it is named.',
    test: 'a type that nothing has is refused wherever it is named, with the one that was meant',
  },
  'config.warnings': {
    feature: 'A warning does not stop a command.',
    test: 'the command says every mistake with its line, and a warning stops nothing',
  },
  'config.durations': {
    feature: 'Durations such as `500ms` and `1.5h` are read.',
    test: 'durations are read with their unit',
  },
  'config.sizes': {
    feature: 'Sizes are read in decimal and binary units.',
    test: 'sizes are read in decimal and binary units',
  },
  'config.tokens': {
    feature: 'A server that requires tokens and knows none does not start.',
    test: 'a server that requires tokens and knows none does not start, nor one with a token too short',
  },
};
