import { navigationHtml, type RouteResponse, type SitePage } from '../../http/index.ts';
import type { SummaryObject } from '../../soif/index.ts';
import { annotationLimits } from './annotation.ts';
import { html, Markup } from './markup.ts';

/** Values of the form's inputs. */
export interface FormValues {
  readonly url: string;
  readonly title: string;
  readonly keywords: string;
  readonly description: string;
  /** `Name: value` lines of every other attribute. */
  readonly others: string;
  readonly author: string;
  /** The version of the annotation that the person saw. */
  readonly version: string;
}

/** One state of the annotation form. */
export interface AnnotatePage {
  readonly values: FormValues;
  /** The gathered document, if there is one. */
  readonly gathered?: SummaryObject | undefined;
  /** There is an annotation that could be removed. */
  readonly annotated: boolean;
  /** False while the server has no administration token. */
  readonly canSave: boolean;
  /** The pages of this server. */
  readonly pages: readonly SitePage[];
  readonly done?: string | undefined;
  readonly fault?: string | undefined;
  readonly status?: number;
}

// Only our own style sheet and form. With the referrer policy the browser sends our origin with the form, so that the
// server can reject a form of another page.
const headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
};

const maxShown = 600;
const maxShownAttributes = 60;

/** The page on which a person annotates one document; it works without scripts. */
export function annotatePage(page: AnnotatePage): RouteResponse {
  const { values, fault, status = 200 } = page;
  const heading = values.url === '' ? 'Annotate a document' : 'Annotation';
  const body = values.url === '' ? askForUrl(values.url) : html`${documentView(page)}${formView(page)}`;
  const { text } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${fault === undefined ? '' : 'Not saved: '}${heading}</title>
<link rel="stylesheet" href="annotate.css">
</head>
<body>
${new Markup(navigationHtml(page.pages, 'annotate'))}
<main>
<h1>${heading}</h1>
${messageView(page)}
${body}
</main>
</body>
</html>
`;
  return { status, headers, body: text };
}

function messageView({ done, fault }: AnnotatePage): Markup | undefined {
  if (fault !== undefined) return html`<p role="alert">${fault}</p>`;
  return done === undefined ? undefined : html`<p role="status">${done}</p>`;
}

function askForUrl(url: string): Markup {
  return html`<form action="annotate" method="get">
<label for="url">URL of the document</label>
<input id="url" name="url" type="url" value="${url}" maxlength="${annotationLimits.urlBytes}" required autofocus>
<button class="main">Continue</button>
</form>`;
}

function documentView({ values, gathered }: AnnotatePage): Markup {
  const { url } = values;
  const link = /^(?:https?|ftp):/.test(url)
    ? html`<a href="${url}" rel="noreferrer">${url}</a>`
    : html`${url}`;
  const known =
    gathered === undefined
      ? html`<p>This document was not gathered yet. Your annotation waits for it.</p>`
      : html`<details>
<summary>Gathered attributes</summary>
<dl>${gathered.attributes.slice(0, maxShownAttributes).map(attributeView)}</dl>
</details>`;
  return html`<p class="url">${link}</p>${known}`;
}

function attributeView({ name, value }: SummaryObject['attributes'][number]): Markup {
  const text = Buffer.from(value.subarray(0, maxShown)).toString();
  return html`<dt>${name}</dt><dd>${text}${value.length > maxShown ? ' …' : ''}</dd>`;
}

function formView({ values, annotated, canSave }: AnnotatePage): Markup {
  const { url, version, title, keywords, description, others, author } = values;
  const max = annotationLimits.valueBytes;
  return html`<form action="annotate" method="post">
<input type="hidden" name="url" value="${url}">
<input type="hidden" name="version" value="${version}">
<p class="hint">Your text replaces the gathered values. An empty field keeps the gathered value.</p>
<label for="title">Title</label>
<input id="title" name="title" value="${title}" maxlength="${max}">
<label for="keywords">Keywords</label>
<textarea id="keywords" name="keywords" rows="2" maxlength="${max}">
${keywords}</textarea>
<label for="description">Description</label>
<textarea id="description" name="description" rows="4" maxlength="${max}">
${description}</textarea>
<label for="others">Other attributes</label>
<textarea id="others" name="others" rows="6" spellcheck="false" aria-describedby="others-hint">
${others}</textarea>
<p class="hint" id="others-hint">One per line, such as “Author: Jo Doe”. A line that begins with a space continues the line above. A name without a value hides the gathered attribute.</p>
<label for="author">Your name</label>
<input id="author" name="author" value="${author}" maxlength="${annotationLimits.authorLength}" autocomplete="name"
aria-describedby="author-hint">
<p class="hint" id="author-hint">Stored with the annotation and shown to its readers.</p>
${canSave ? saveView(annotated) : html`<p>Nobody can save: this server has no administration token.</p>`}
</form>`;
}

function saveView(annotated: boolean): Markup {
  const remove = html`<button name="act" value="remove">Remove the annotation</button>`;
  return html`<label for="token">Administration token</label>
<input id="token" name="token" type="password" autocomplete="current-password" required>
<button class="main" name="act" value="save">Save</button>${annotated ? remove : undefined}`;
}
