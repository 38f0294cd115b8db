import { parseArgs } from 'node:util'

export const USAGE = `npm run oracle:doors -- [OPTIONS]: compares random servers with several hosts on Apache httpd and on dist/bin/httpd
  --requests R   stop after so many compared requests (5000)
  --seed N       seed (1)
  --first I      number of the first world of the seed (0); with --worlds 1 a single one
  --worlds W     stop after so many worlds
  --hosts H      hosts of a world (30)
  --each E       requests of a host (120)
  --jobs J       worlds at the same time (2)
  --shrink S     how many kinds of differences are cut down to what is needed (5)
  --show K       how many differences are printed in one line (40)
  --only KIND    cut down only kinds of differences that contain this text
  --save FILE    write every difference into this file, one JSON object per line
  --keep         leave configurations, files and logs, and print their folder`

/** @throws if an option is unknown or a number is invalid */
export function readOptions(args) {
  const numbers = { requests: 5000, seed: 1, first: 0, worlds: 1_000_000, hosts: 30, each: 120, jobs: 2, shrink: 5, show: 40 }
  const { values } = parseArgs({
    args,
    options: {
      ...Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, { type: 'string', default: String(value) }])),
      only: { type: 'string' },
      save: { type: 'string' },
      keep: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  const out = { only: values.only, save: values.save, keep: values.keep, help: values.help }
  for (const name of Object.keys(numbers)) {
    const number = Number(values[name])
    if (!Number.isInteger(number) || number < 0) throw new Error(`--${name} needs a whole number, not ${values[name]}`)
    out[name] = number
  }
  return out
}
