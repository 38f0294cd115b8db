import { parseArgs } from 'node:util'

export const USAGE = `npm run oracle:htaccess -- [OPTIONS] DIR...: compares sites on Apache httpd and on dist/bin/httpd
  DIR              a folder with the site's files in site/, the requests in "requests" and, if wanted, more configuration in httpd.conf
  --options WORDS  Options of the document root ("Indexes FollowSymLinks")
  --override WORDS its AllowOverride ("All")
  --log-level L    LogLevel of both ("info")
  --show           print what httpd answered, too
  --keep           leave configurations and logs, and print their folder`

/** @throws if an option is unknown or no folder is given */
export function readOptions(args) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      options: { type: 'string', default: 'Indexes FollowSymLinks' },
      override: { type: 'string', default: 'All' },
      'log-level': { type: 'string', default: 'info' },
      show: { type: 'boolean', default: false },
      keep: { type: 'boolean', default: false },
    },
  })
  if (positionals.length === 0) throw new Error('no folder given')
  const { 'log-level': logLevel, ...others } = values
  return { ...others, logLevel, folders: positionals }
}
