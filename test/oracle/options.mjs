import { parseArgs } from 'node:util'

export const USAGE = `npm run oracle -- [OPTIONS]: compares random policies on Apache httpd and on dist/bin/httpd
  --seed N       first seed (1)
  --seeds K      how many seeds, from N on (1)
  --count M      policies of each seed (1000)
  --first I      number of the first policy of each seed (0); with --count 1 a single one
  --requests R   requests of each policy (8)
  --batch B      policies in one configuration (250)
  --shrink S     how many differing policies are cut down to what is needed (3)
  --plant NAME   plant a bug into our modules, stop when it is found; "list" names them
  --plants       the same for every bug, one line each
  --no-ipv6      for machines without ::1
  --keep         leave configurations, files and logs, and print their folder
  --json         print the result as JSON, everything else to standard error`

/** @throws if an option is unknown or a number is invalid */
export function readOptions(args) {
  const { values } = parseArgs({
    args,
    options: {
      seed: { type: 'string', default: '1' },
      seeds: { type: 'string', default: '1' },
      count: { type: 'string', default: '1000' },
      first: { type: 'string', default: '0' },
      requests: { type: 'string', default: '8' },
      batch: { type: 'string', default: '250' },
      shrink: { type: 'string', default: '3' },
      plant: { type: 'string' },
      plants: { type: 'boolean', default: false },
      'no-ipv6': { type: 'boolean', default: false },
      keep: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  const number = (name, least) => {
    const value = Number(values[name])
    if (!Number.isInteger(value) || value < least)
      throw new Error(`--${name} needs a whole number from ${least} up, not ${values[name]}`)
    return value
  }
  const { plant, plants, 'no-ipv6': noIpv6, keep, json, help } = values
  return {
    seed: number('seed', 0),
    seeds: number('seeds', 1),
    count: number('count', 1),
    first: number('first', 0),
    requests: number('requests', 1),
    batchSize: number('batch', 1),
    shrink: number('shrink', 0),
    ...{ plant, plants, ipv6: !noIpv6, keep, json, help },
  }
}
