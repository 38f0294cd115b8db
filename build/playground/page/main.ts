import type { PartMessage } from '../engine/messages.ts'
import type { Case } from '../engine/question-case.ts'
import type { Example } from '../examples.ts'
import { AnswerView } from './answer-view.ts'
import { caseFragment, fragmentCase } from './case-link.ts'
import { byId, element } from './element.ts'
import { EngineClient } from './engine-client.ts'
import { FilesPanel, type Mark } from './files-panel.ts'
import { RequestForm } from './request-form.ts'
import type { Places } from './shown-text.ts'

/** In milliseconds: nobody reads an answer while typing. */
const PAUSE = 120

const examples: readonly Example[] = JSON.parse(byId('example-data', HTMLScriptElement).textContent ?? '[]')
const choice = byId('examples', HTMLSelectElement)
const share = byId('share', HTMLButtonElement)

const places: Places = {
  find: (shown) => files.files.map(({ path }) => path).find((path) => path === shown || path.endsWith(`/${shown}`)) ?? null,
  open: (path, line) => files.open(path, line),
}

let timer: ReturnType<typeof setTimeout> | undefined
let marks: readonly Mark[] = []
let troubles: Extract<PartMessage, { readonly part: 'troubles' }>['troubles'] = []
let address = ''

const changed = (): void => {
  clearTimeout(timer)
  timer = setTimeout(() => void ask(), PAUSE)
}
const files = new FilesPanel(changed)
const form = new RequestForm(changed)
const view = new AnswerView(places)
// Until it is ready, the first case can be read.
const engine = EngineClient.start(byId('engine', HTMLScriptElement).textContent ?? '', hear)

function given(): Case {
  return { start: files.start, files: files.files, request: form.request }
}

async function ask(): Promise<void> {
  view.wait()
  marks = []
  const ready = await engine
  ready.ask(given())
  address = `#${await caseFragment(given())}`
  history.replaceState(null, '', address)
}

function hear(message: PartMessage): void {
  switch (message.part) {
    case 'answer':
      return view.answer(message.answer, message.ms)
    case 'refusal':
      mark([{ ...message.refusal, kind: 'error' }])
      return view.refusal(message.refusal, message.ms)
    case 'failure':
      return view.failure(message.message)
    case 'troubles':
      troubles = message.troubles
      return mark([...marks, ...troubles.map(asMark)])
    case 'findings':
      mark([...marks, ...message.findings.map(asMark)])
      return view.findings(troubles, message.findings, message.failure)
    case 'migration':
      return view.migration(message.migration, message.failure, take)
    case 'end':
      return
  }
}

function mark(all: readonly Mark[]): void {
  marks = all
  files.mark(marks)
}

function asMark({ file, line, severity, message }: (typeof troubles)[number]): Mark {
  return { file, line, message, kind: severity === 'error' ? 'error' : 'warning' }
}

/** Replaces a file by its migrated text. */
function take(path: string, text: string): void {
  files.fill(
    files.files.map((file) => (file.path === path ? { path, text } : file)),
    files.start,
  )
  files.open(path, 1)
  changed()
}

function load(wanted: Case): void {
  files.fill(wanted.files, wanted.start)
  form.fill(wanted.request)
  void ask()
}

for (const [index, { title }] of examples.entries()) choice.append(element('option', { value: String(index) }, title))
choice.addEventListener('change', () => {
  const example = examples[Number(choice.value)]
  if (example !== undefined) load(example.given)
})
share.addEventListener('click', async () => {
  try {
    await navigator.clipboard.writeText(new URL(address, location.href).href)
    share.textContent = 'Copied'
  } catch {
    share.textContent = 'Copy the address'
  }
  setTimeout(() => {
    share.textContent = 'Copy link'
  }, 2000)
})
addEventListener('hashchange', async () => {
  const linked = location.hash === address ? null : await fragmentCase(location.hash)
  if (linked !== null) load(linked)
})

const linked = location.hash.length > 1 ? await fragmentCase(location.hash) : null
if (linked !== null) {
  choice.prepend(element('option', { value: '', selected: '' }, 'From the link'))
  load(linked)
} else if (examples[0] !== undefined) load(examples[0].given)
