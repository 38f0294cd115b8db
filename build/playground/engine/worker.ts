import { findingsOf, migrationOf, troublesOf } from './analyse-case.ts'
import { fromBytes } from './bytes.ts'
import { explainCase } from './explain-case.ts'
import type { CaseMessage, PartMessage } from './messages.ts'

type Part = PartMessage extends infer P ? (P extends { readonly id: number } ? Omit<P, 'id'> : never) : never

/** What a page and its worker talk through. */
interface Port {
  onmessage: ((event: { readonly data: CaseMessage }) => void) | null
  postMessage(message: PartMessage): void
}

/** Answers the cases of a page, the newest first; a case that was replaced by another is given up. */
function serve(port: Port): void {
  let newest: CaseMessage | null = null
  let isBusy = false
  const work = async (): Promise<void> => {
    isBusy = true
    for (let message = newest; message !== null; message = newest === message ? null : newest) {
      const { id, given } = message
      const isWanted = (): boolean => newest === message
      for (const step of [explainStep, troublesStep, findingsStep, migrationStep]) {
        if (!isWanted()) break
        port.postMessage({ id, ...(await step(given)) })
      }
      port.postMessage({ id, part: 'end' })
    }
    isBusy = false
  }
  port.onmessage = ({ data }) => {
    newest = data
    if (!isBusy) void work()
  }
}

type Step = (given: CaseMessage['given']) => Promise<Part>

const explainStep: Step = async (given) => {
  const before = performance.now()
  try {
    const explained = await explainCase(given)
    const ms = performance.now() - before
    return explained.kind === 'refused'
      ? { part: 'refusal', refusal: explained.mistake, ms }
      : { part: 'answer', answer: explained.shown, ms }
  } catch (error) {
    return { part: 'failure', message: messageOf(error) }
  }
}

const troublesStep: Step = async (given) => {
  try {
    return { part: 'troubles', troubles: await troublesOf(given) }
  } catch {
    // The answer says what keeps the configuration from being loaded.
    return { part: 'troubles', troubles: [] }
  }
}

const findingsStep: Step = async (given) => {
  try {
    return { part: 'findings', findings: await findingsOf(given), failure: null }
  } catch (error) {
    return { part: 'findings', findings: [], failure: messageOf(error) }
  }
}

const migrationStep: Step = async (given) => {
  try {
    return { part: 'migration', migration: await migrationOf(given), failure: null }
  } catch (error) {
    return { part: 'migration', migration: null, failure: messageOf(error) }
  }
}

function messageOf(error: unknown): string {
  return fromBytes(error instanceof Error ? error.message : String(error))
}

declare const self: Port
serve(self)
