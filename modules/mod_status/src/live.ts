import { createHash } from 'node:crypto'
import type { StatusContext } from './auto.ts'
import { statusJson } from './json.ts'
import { LIVE_SCRIPT } from './live-script.ts'
import { STYLE } from './style.ts'

const STYLE_TEXT = `\n${STYLE}`

/**
 * What the head of the page has beside httpd's: the style, and a script that draws charts above what httpd shows, with the figures that it begins with. Nothing in
 * the body is different for it.
 */
export function liveHead(context: StatusContext): string {
  return (
    `<style>${STYLE_TEXT}</style>\n` +
    `<script type="application/json" id="status-json">${statusJson(context, 'without places').trimEnd().replaceAll('<', '\\u003c')}</script>\n` +
    `<script>${LIVE_SCRIPT}</script>\n`
  )
}

/** Lets the page do what it does and nothing else: it shows texts of clients, which must never become script. */
export const CONTENT_SECURITY_POLICY: string =
  `default-src 'none'; style-src ${hashSource(STYLE_TEXT)}; script-src ${hashSource(LIVE_SCRIPT)}; connect-src 'self'; ` +
  "base-uri 'none'; form-action 'none'"

function hashSource(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}
