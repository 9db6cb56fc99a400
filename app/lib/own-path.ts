/** A path of this console to go to after signing in; anything that could lead elsewhere becomes the start page. */
export function ownPath(text: string | null): string {
  if (text === null || !text.startsWith('/') || !URL.canParse(text, 'http://own')) return '/';
  const url = new URL(text, 'http://own');
  return url.origin === 'http://own' && !url.pathname.startsWith('/login') ? url.pathname + url.search : '/';
}
