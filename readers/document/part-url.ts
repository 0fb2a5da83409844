/** The URL of a part: that of its document with the path as fragment. */
export function partUrl(url: string, part: string): string {
  return part === ''
    ? url
    : `${url.replace(/#.*$/s, '')}#${part.split('/').map(encodeURIComponent).join('/')}`;
}
