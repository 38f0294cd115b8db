import { ConfigureError } from './configure-error.ts'
import type { LayoutTemplate } from './layouts.ts'

/**
 * Reads one layout of a file in the format of httpd's config.layout: `<Layout NAME>`, lines `name: value`,
 * `</Layout>`. `#` begins a comment line.
 * @throws ConfigureError if the file does not contain a layout of that name, or the layout contains an
 * invalid line
 */
export function readLayoutFile(text: string, name: string, file: string): LayoutTemplate {
  const folders = new Map<string, string>()
  const names: string[] = []
  let inside: string | undefined
  for (const [index, line] of text.split('\n').entries()) {
    const [, begin] = /^\s*<Layout\s+(.*?)\s*>\s*$/i.exec(line) ?? []
    if (begin !== undefined) names.push((inside = begin))
    else if (/^\s*<\/Layout>\s*$/i.test(line)) {
      if (inside === name) return folders
      inside = undefined
    } else if (inside === name && !/^\s*(#.*)?$/.test(line)) {
      const [, folder, value] = /^\s*([\w-]+):\s*(.*?)\s*$/.exec(line) ?? []
      if (folder === undefined || value === undefined)
        throw new ConfigureError(`${file}:${index + 1}: not a layout line: ${line.trim()}`, 'write NAME: FOLDER')
      folders.set(folder, value)
    }
  }
  throw new ConfigureError(
    `${file} has no complete layout ${name}`,
    names.length === 0 ? 'a layout begins with <Layout NAME> and ends with </Layout>' : `it has ${names.join(', ')}`,
  )
}
