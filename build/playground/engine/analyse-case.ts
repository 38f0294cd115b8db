import type { Job, Trouble } from '@gatewright/language-server'
import { unifiedDiff } from '@gatewright/policy'
import { checkJob, lintJob } from '../../../packages/cli/src/gatewright/lsp/check-job.ts'
import { migratedTexts } from '../../../packages/cli/src/gatewright/lsp/migrate-job.ts'
import { fromBytes, toBytes } from './bytes.ts'
import type { MigratedCase } from './messages.ts'
import type { Case } from './question-case.ts'
import { siteOf } from './site-of.ts'

/** Every line that does not load, in the configuration and in its .htaccess files. */
export async function troublesOf(given: Case): Promise<readonly Trouble[]> {
  siteOf(given)
  const { troubles } = await checkJob(jobOf(given))
  return troubles.map(readable)
}

/** What `gatewright lint` finds. */
export async function findingsOf(given: Case): Promise<readonly Trouble[]> {
  siteOf(given)
  return (await lintJob(jobOf(given))).map(readable)
}

/** What `gatewright migrate` writes; null if no file has directives of 2.2. */
export async function migrationOf(given: Case): Promise<MigratedCase | null> {
  const job = jobOf(given)
  if (!Object.values(job.texts).some((text) => OLD.test(text))) return null
  siteOf(given)
  const { files, left } = await migratedTexts(job)
  return {
    files: files.map(({ path, before, after }) => ({
      path: fromBytes(path),
      after: fromBytes(after),
      diff: fromBytes(unifiedDiff({ name: path, text: before }, { name: path, text: after })),
    })),
    left: left.map(({ file, line, text }) => ({ file: fromBytes(file), line, text: fromBytes(text) })),
  }
}

const OLD = /^\s*(?:Order|Allow\s+from|Deny\s+from|Satisfy)\b/im

/** The files whose lines are analysed; others, such as files of users, are read where they are named. */
function jobOf({ start, files }: Case): Job {
  const texts = files.filter(({ path }) => path === start || /\.conf$|\/\.htaccess$/.test(path))
  return {
    subject: files.some(({ path }) => path === start)
      ? { kind: 'server', configFile: start, serverRoot: null }
      : { kind: 'tree', folder: start },
    texts: Object.fromEntries(texts.map(({ path, text }) => [path, toBytes(text)])),
  }
}

function readable(trouble: Trouble): Trouble {
  const { file, message, hint } = trouble
  return { ...trouble, file: fromBytes(file), message: fromBytes(message), hint: hint === null ? null : fromBytes(hint) }
}
