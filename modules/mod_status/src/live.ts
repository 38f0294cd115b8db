import { createHash } from 'node:crypto'
import type { StatusContext } from './auto.ts'
import { statusJson } from './json.ts'
import { LIVE_SCRIPT } from './live-script.ts'
import { STYLE } from './style.ts'

const STYLE_TEXT = `\n${STYLE}`

/**
 * Additions to the head of httpd's page: a style, and a script that draws charts above httpd's contents, with
 * its initial figures. The body is unchanged.
 */
export function liveHead(context: StatusContext): string {
  return (
    `<meta name="viewport" content="width=device-width, initial-scale=1">\n<style>${STYLE_TEXT}</style>\n` +
    `<script type="application/json" id="status-json">${statusJson(context, 'without places').trimEnd().replaceAll('<', '\\u003c')}</script>\n` +
    `<script>${LIVE_SCRIPT}</script>\n`
  )
}

/**
 * Permits only the page's own style, script and requests. The page contains texts from clients, which must
 * never be executed.
 */
export const CONTENT_SECURITY_POLICY: string =
  `default-src 'none'; style-src ${hashSource(STYLE_TEXT)}; script-src ${hashSource(LIVE_SCRIPT)}; connect-src 'self'; ` +
  "base-uri 'none'; form-action 'none'"

function hashSource(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}
