import { PasswordInterrupted } from '../password/ask-password.ts'
import { Refusal } from '../password/refusal.ts'
import type { ToolConsole } from '../tool-console.ts'
import { checkDatabase, listing, removeUser, storeUser, verifyUser } from './database.ts'
import { type HtdbmOptions, parseHtdbmOptions } from './options.ts'
import { getPassword, storedPassword } from './password.ts'
import { recordText } from './record.ts'
import { HTDBM_STATUS } from './status.ts'

/** htdbm's command line. @param argv bytes, one character each @returns the exit status */
export async function htdbm(argv: readonly string[], console: ToolConsole): Promise<number> {
  const options = parseHtdbmOptions(argv, console.err)
  if ('complaint' in options) {
    console.err(options.complaint)
    return options.status
  }
  try {
    await run(options, console)
    return HTDBM_STATUS.done
  } catch (error) {
    if (error instanceof PasswordInterrupted) return HTDBM_STATUS.interrupted
    if (!(error instanceof Refusal)) throw error
    console.err(error.output)
    return error.status
  }
}

async function run(options: HtdbmOptions, console: ToolConsole): Promise<void> {
  const { command, database, user } = options
  if (command === 'list') {
    if (database !== null) console.err(listing(database, options))
    return
  }
  // Check this before prompting for a password. The file is closed in the meantime, because a person may take
  // long, and other programs may write to it.
  if (database !== null) checkDatabase(database, options)
  checkUser(user)
  if (database === null) {
    const password = await getPassword(options.password, console)
    console.err(`${user}:${recordText(storedPassword(password, options, console), options.comment)}\n`)
  } else if (command === 'remove') {
    removeUser(database, options)
    console.out(`Database ${database} ${options.create ? 'created' : 'modified'}.\n`)
  } else if (command === 'verify') {
    verifyUser(database, options, await getPassword(options.password, console))
    console.err(`Password validated for user '${user}'\n`)
  } else {
    const password = await getPassword(options.password, console)
    const text = recordText(storedPassword(password, options, console), options.comment)
    const outcome = storeUser(database, options, text)
    console.out(`Database ${database} ${options.create ? 'created' : outcome}.\n`)
  }
}

const LONGEST_USER = 64

function checkUser(user: string): void {
  if (user === '' || user.length > LONGEST_USER) throw new Refusal('Invalid username length\n', HTDBM_STATUS.badUser)
  if (user.includes(':')) throw new Refusal('Username contains invalid characters\n', HTDBM_STATUS.badUser)
}
