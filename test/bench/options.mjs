import { parseArgs } from 'node:util'

export const USAGE = `npm run bench [-- OPTIONS]: speed, CPU time, latency and memory beside Apache httpd and nginx

  --only NAMES         only these scenarios, separated by commas
  --servers NAMES      only these servers: gatewright, apache2, nginx, bare-node
                       (Node's own sockets without rules, files and logs; scenarios of TLS,
                       small, new-connections and denied); only if named: caddy, lighttpd, haproxy,
                       and other ways to use Node's sockets: bare-node-shared, bare-node-direct
  --rounds N           rounds, of which the medians count (5)
  --seconds N          how long each server is loaded in a round (2)
  --connections N      connections of the client (32); some scenarios take fewer
  --guard              compares the CPU time of small, new-connections and denied with that of
                       bare Node, and ends with 1 if a ratio is more than 15 % above the recorded one
  --record             with --guard: records the ratios instead (test/bench/guard.json)
  --page               also writes the figures into docs/performance.md
  --json               the figures as JSON instead of tables
  --list               the scenarios, and nothing else
  --help               this text`

/**
 * @param {readonly string[]} args
 * @param {readonly string[]} scenarioNames
 * @param {readonly string[]} serverNames
 * @param {readonly string[]} usualServers those without --servers
 * @throws {Error} with a hint if an option is invalid
 */
export function parseOptions(args, scenarioNames, serverNames, usualServers = serverNames) {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: 'string' },
      servers: { type: 'string' },
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '2' },
      connections: { type: 'string', default: '32' },
      guard: { type: 'boolean', default: false },
      record: { type: 'boolean', default: false },
      page: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.record && !values.guard) throw new Error('--record needs --guard')
  return {
    guard: values.guard,
    record: values.record,
    page: values.page,
    json: values.json,
    list: values.list,
    help: values.help,
    only: chosen('only', values.only, scenarioNames),
    servers: chosen('servers', values.servers, serverNames, usualServers),
    rounds: count('rounds', values.rounds),
    seconds: count('seconds', values.seconds),
    connections: count('connections', values.connections),
  }
}

function chosen(option, text, known, usual = known) {
  if (text === undefined) return usual
  const names = text.split(',')
  const strange = names.find((name) => !known.includes(name))
  if (strange !== undefined) throw new Error(`--${option}: '${strange}' is unknown\nhint: known are ${known.join(', ')}`)
  return known.filter((name) => names.includes(name))
}

function count(option, text) {
  if (!/^[1-9]\d{0,2}$/.test(text)) throw new Error(`--${option} must be a number from 1 to 999, not '${text}'`)
  return Number(text)
}
