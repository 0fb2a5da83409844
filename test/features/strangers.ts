import type { Area } from './feature.ts';

export const strangers: Area = {
  'strangers.swapped-names': {
    feature: 'A served folder gives nothing from outside, also while its names are swapped with links.',
    test: 'case a12: names that are swapped with links out of a served folder give nothing from outside',
  },
  'strangers.gathered-names': {
    feature:
      'Nothing outside a gathered folder, mailbox or mapping is read while its names are swapped with links.',
    test: 'names that are swapped with links out of a gathered folder give nothing from outside',
  },
  'strangers.two-hosts': {
    feature: 'Every server refuses a request or an upgrade with two Host headers.',
    test: 'a request with two Host headers is refused, whatever they say',
  },
  'strangers.origin-scheme': {
    feature: 'A page of another scheme is a page of another origin.',
    test: 'pages of other origins may not post',
  },
};
