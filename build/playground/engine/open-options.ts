import { FileSource, TextSource } from '@gatewright/core'
import type { PolicyServerOptions } from '@gatewright/policy'
import { INSTALLATION } from '../../../packages/cli/src/gatewright/installation.ts'
import type { Site } from './site-of.ts'

/** With what the configuration of a site is opened: nobody but its own files is asked. */
export function openOptions({ serverRoot, configFile, before, madeUp }: Site): PolicyServerOptions {
  return {
    ...INSTALLATION,
    serverRoot,
    configFile,
    defines: [],
    before,
    after: [],
    source: madeUp === null ? new FileSource() : new TextSource(new Map([[configFile, madeUp]]), new FileSource()),
    skipDocumentRootCheck: false,
    reach: 'offline',
  }
}
