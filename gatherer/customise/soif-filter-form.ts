import { printObject, summaryObject } from '../../soif/index.ts';
import type { FilterForm } from './post-rules.ts';
import { parseProgramOutput } from './program-output.ts';

/** Attributes travel to a filter program and back as one SOIF object (Harvest's `a,b,c ! program`). */
export const soifFilterForm: FilterForm = {
  print: ({ url, attributes }) => printObject(summaryObject(url, attributes)),
  parse: (bytes) => parseProgramOutput('the filter', bytes),
};
