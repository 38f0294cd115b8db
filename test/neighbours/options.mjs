import { parseArgs } from 'node:util'

export const USAGE = `npm run neighbours [-- OPTIONS]: what one tenant's folder costs the clients of the others, beside Apache httpd

  --only NAMES         only these rows, separated by commas; B1 takes B1-10000 as well
  --servers NAMES      only these servers: gatewright, apache2
  --seconds N          how long the expensive answer is waited for (30)
  --attempts N         how often a row is tried that is above the limit, because something else may have disturbed it (3)
  --limit N            the limit in ms (250)
  --json               the figures as JSON instead of a table
  --list               the rows, and nothing else
  --help               this text`

/**
 * @param {readonly string[]} args
 * @param {readonly string[]} rowNames
 * @param {readonly string[]} serverNames
 * @throws {Error} with a hint when an option makes no sense
 */
export function parseOptions(args, rowNames, serverNames) {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: 'string' },
      servers: { type: 'string' },
      seconds: { type: 'string', default: '30' },
      attempts: { type: 'string', default: '3' },
      limit: { type: 'string', default: '250' },
      json: { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  return {
    json: values.json,
    list: values.list,
    help: values.help,
    only: chosen('only', values.only, rowNames, (known, name) => known === name || known.startsWith(`${name}-`)),
    servers: chosen('servers', values.servers, serverNames, (known, name) => known === name),
    seconds: count('seconds', values.seconds),
    attempts: count('attempts', values.attempts),
    limit: count('limit', values.limit),
  }
}

function chosen(option, text, known, fits) {
  if (text === undefined) return known
  const names = text.split(',')
  const strange = names.find((name) => !known.some((each) => fits(each, name)))
  if (strange !== undefined) throw new Error(`--${option}: '${strange}' is unknown\nhint: known are ${known.join(', ')}`)
  return known.filter((each) => names.some((name) => fits(each, name)))
}

function count(option, text) {
  if (!/^[1-9]\d{0,4}$/.test(text)) throw new Error(`--${option} must be a number from 1 to 99999, not '${text}'`)
  return Number(text)
}
