import { escapeHtml } from '@gatewright/api/text'

/** A page of the module. @param more what follows the heading, as HTML */
export function page(title: string, more: string): string {
  const heading = escapeHtml(title)
  return `<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${heading}</title></head>
<body>
<h1>${heading}</h1>
${more}
</body>
</html>
`
}

/** @param url where the reader can log in again */
export function problemPage(title: string, text: string, url: string | null): string {
  const link = url === null ? '' : `\n<p><a href="${escapeHtml(url)}">Log in again</a></p>`
  return page(title, `<p>${escapeHtml(text)}</p>${link}`)
}
