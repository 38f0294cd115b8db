// A site to compare: its folder as this test takes it.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'

/**
 * `{ name, tree, extra, file, requests }` of a folder: the path of the document tree, lines of further configuration, the file the requests are from, and
 * for each request its method, target, header fields, text and line.
 * @throws when the folder lacks a part or a request cannot be read
 */
export function readSite(folder) {
  const [tree, file, conf] = ['site', 'requests', 'httpd.conf'].map((part) => join(resolve(folder), part))
  if (!existsSync(tree) || !statSync(tree).isDirectory()) throw new Error(`${folder} has no folder "site"`)
  if (!existsSync(file)) throw new Error(`${folder} has no file "requests"`)
  const requests = readRequests(readFileSync(file, 'utf8'), file)
  if (requests.length === 0) throw new Error(`${file} has no requests`)
  return {
    name: basename(resolve(folder)),
    tree,
    extra: existsSync(conf) ? readFileSync(conf, 'utf8') : '',
    file,
    requests,
  }
}

/** Requests of a text: `METHOD TARGET`, and below it, indented, header fields. Empty lines and lines that begin with `#` mean nothing. */
export function readRequests(text, file) {
  const requests = []
  for (const [index, line] of text.split('\n').entries()) {
    if (/^\s*(#|$)/.test(line)) continue
    const place = `${file}:${index + 1}`
    const field = /^\s+([^\s:]+):\s*(.*)$/.exec(line)
    const request = /^([A-Z]+) (\S+)$/.exec(line)
    if (request !== null) requests.push({ method: request[1], target: request[2], fields: [], text: line, line: index + 1 })
    else if (field !== null && requests.length > 0) {
      const last = requests.at(-1)
      last.fields.push([field[1], field[2]])
      last.text += `\n${line.trim()}`
    } else throw new Error(`${place}: neither "METHOD TARGET" nor an indented "Name: value": ${line}`)
  }
  return requests
}
