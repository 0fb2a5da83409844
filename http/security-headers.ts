/**
 * Sent with every answer, except what `needlessHeaders` names. A page may load scripts, styles and pictures from its own server only, and may not be
 * framed; a route that serves foreign pages sets its own values for these names.
 */
export const securityHeaders: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
    "manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
};

/** What only concerns documents: on a script or a style sheet these headers would be a third of its weight. */
const ofDocuments = [
  'content-security-policy',
  'referrer-policy',
  'cross-origin-opener-policy',
  'cross-origin-embedder-policy',
  'permissions-policy',
];

/** The security headers that an answer of this type does without. */
export const needlessHeaders = (contentType: unknown): readonly string[] =>
  typeof contentType === 'string' && /^text\/(?:css|javascript)\b/.test(contentType) ? ofDocuments : [];
