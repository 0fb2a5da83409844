import type { Route } from '../../http/index.ts';
import type { AnnotationServing } from './annotate-form.ts';

/** Loaded at the first request for the form. */
const form = () => import('./annotate-form.ts');

/** The form's page, its style sheet, and the route that receives it. The form contains the token: no cookie is set. */
export function annotateFormRoutes(serving: AnnotationServing): readonly Route[] {
  const url = {
    name: 'url',
    in: 'query',
    describe: 'URL of a document',
    schema: { type: 'string' },
  } as const;
  const common = { scope: 'public', hidden: true } as const;
  return [
    {
      ...common,
      method: 'GET',
      path: '/annotate',
      summary: 'A form that annotates a document',
      parameters: [url],
      handle: async ({ query }) => (await form()).shown(serving, query),
    },
    {
      ...common,
      method: 'POST',
      path: '/annotate',
      summary: 'Save the form; it must contain an administration token',
      handle: async (request) => (await form()).saved(serving, request),
    },
    {
      ...common,
      method: 'GET',
      path: '/annotate.css',
      summary: 'The style of the form',
      handle: async () => ({
        headers: { 'content-type': 'text/css; charset=utf-8', 'cache-control': 'max-age=3600' },
        body: (await form()).annotateStyle,
      }),
    },
  ];
}
