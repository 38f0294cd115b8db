/**
 * What a module uses beyond the API, named after Node's permissions: `net` (connections of its own, also by
 * `fetch`), `fs` (files), `child-process` (programs), `worker` (threads). A declaration informs the person who
 * installs the module. It is not a sandbox: a module that lies can do whatever the server's user can do.
 * @since 2.4.6
 */
export type ModuleCapability = 'child-process' | 'fs' | 'net' | 'worker'
