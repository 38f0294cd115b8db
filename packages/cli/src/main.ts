import { takeRole } from '@gatewright/mpm/role'
import { httpd } from './httpd.ts'
import { runRole } from './roles.ts'

/**
 * The entry point of every process of a server: the one that a person started, and those that it starts in
 * turn.
 */
const role = takeRole(process.env, process.connected)
if (role === undefined) process.exit(await httpd(process.argv.slice(2)))
await runRole(role)
