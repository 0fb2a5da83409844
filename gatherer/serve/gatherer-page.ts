import { navigationHtml, type Route, type RouteResponse, type SitePage } from '../../http/index.ts';
import { html, Markup } from '../annotate/index.ts';
import { type PushLinkStatus, pushedWords } from './push-links.ts';

/** Content of a Gatherer's own page. */
export interface GathererPage {
  readonly name: string;
  readonly objects: number;
  /** Whether the annotation form can save. */
  readonly canAnnotate: boolean;
  readonly pushes: readonly PushLinkStatus[];
  readonly pages: readonly SitePage[];
}

const headers = {
  'content-type': 'text/html; charset=utf-8',
  // Only the form's style sheet.
  'content-security-policy':
    "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cache-control': 'no-cache',
};

/** `GET /` of a Gatherer: a start page with links, which work behind any prefix. */
export function gathererPageRoute(page: () => GathererPage): Route {
  return {
    method: 'GET',
    path: '/',
    summary: 'Start page with links to the annotation form and other addresses',
    scope: 'public',
    hidden: true,
    handle: () => pageOf(page()),
  };
}

function pageOf({ name, objects, canAnnotate, pushes, pages }: GathererPage): RouteResponse {
  const annotate = canAnnotate
    ? 'write about a document; needs a token of http.admin-tokens'
    : 'cannot save while http.admin-tokens is empty';
  const { text } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${name}</title>
<link rel="stylesheet" href="annotate.css">
</head>
<body>
${new Markup(navigationHtml(pages, './'))}
<main>
<h1>${name}</h1>
<p>A Gatherer with ${objects} ${objects === 1 ? 'summary' : 'summaries'}. Brokers collect them from this address.</p>
<dl>
${line('annotate', 'Annotate a document', annotate)}
${line('annotations', 'Annotations', 'all annotations, as JSON')}
${line('soif', 'Summaries', 'all of them as a SOIF stream')}
${line('status', 'Status', 'the last run and the collecting clients, as JSON')}
${line('openapi.json', 'API', 'every other address, as OpenAPI')}
</dl>
${pushes.length === 0 ? undefined : pushesView(pushes)}
</main>
</body>
</html>
`;
  return { headers, body: text };
}

function pushesView(pushes: readonly PushLinkStatus[]): Markup {
  return html`<h2>Brokers that changes are pushed to</h2>
<dl>
${pushes.map((push) => html`<dt>${push.url}</dt><dd>${pushWords(push)}</dd>`)}
</dl>`;
}

function pushWords({ state, lsn, at, error, hint }: PushLinkStatus): string {
  return `${state}; ${pushedWords({ lsn, at })}${error === null ? '' : `; ${error} ${hint ?? ''}`}`;
}

function line(href: string, name: string, text: string): Markup {
  return html`<dt><a href="${href}">${name}</a></dt><dd>${text}</dd>`;
}
