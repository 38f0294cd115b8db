/**
 * The style of generated pages: the colours of the reader's mode, and lines that fit a phone. It is part of each page,
 * because a page about an error must not depend on another request.
 */
export const ERROR_PAGE_STYLE: string =
  ':root{color-scheme:light dark;--paper:#faf8f4;--ink:#22262b;--quiet:#5d636b;--link:#0b6e5a;--line:#e2ddd3}' +
  '@media(prefers-color-scheme:dark){:root{--paper:#15181b;--ink:#e7e4de;--quiet:#9aa1a9;--link:#56c7ab;--line:#2c3136}}' +
  'html{background:var(--paper)}' +
  'body{max-width:38rem;margin:0 auto;padding:14vh 1.5rem 3rem;color:var(--ink);' +
  'font:17px/1.6 system-ui,"Segoe UI",Roboto,"Helvetica Neue",sans-serif;overflow-wrap:anywhere}' +
  'h1{margin:0 0 1rem;font-size:2rem;line-height:1.2;letter-spacing:-.02em}' +
  '.status{margin:0;color:var(--quiet);letter-spacing:.06em}' +
  'a{color:var(--link)}pre{white-space:pre-wrap}' +
  'address{margin-top:3rem;padding-top:.8rem;border-top:1px solid var(--line);color:var(--quiet);font-style:normal;font-size:.85rem}'
