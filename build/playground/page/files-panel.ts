import type { GivenFile } from '../engine/question-case.ts'
import { byId, element } from './element.ts'

/** A line to mark in a file. */
export interface Mark {
  readonly file: string
  readonly line: number
  readonly kind: 'error' | 'warning'
  readonly message: string
}

/** The files of a case: one of them is shown and can be edited. */
export class FilesPanel {
  readonly #tabs = byId('tabs', HTMLDivElement)
  readonly #path = byId('path', HTMLInputElement)
  readonly #text = byId('text', HTMLTextAreaElement)
  readonly #gutter = byId('gutter', HTMLPreElement)
  readonly #remove = byId('remove', HTMLButtonElement)
  readonly #role = byId('role', HTMLParagraphElement)
  readonly #changed: () => void
  #files: { path: string; text: string }[] = []
  #current = 0
  #start = ''
  #marks: readonly Mark[] = []

  constructor(changed: () => void) {
    this.#changed = changed
    this.#text.addEventListener('input', () => {
      this.#files[this.#current].text = this.#text.value
      this.#number()
      changed()
    })
    this.#text.addEventListener('scroll', () => {
      this.#gutter.scrollTop = this.#text.scrollTop
    })
    this.#path.addEventListener('input', () => {
      const file = this.#files[this.#current]
      if (file.path === this.#start) this.#start = this.#path.value
      file.path = this.#path.value
      this.#tab()
      changed()
    })
    this.#remove.addEventListener('click', () => {
      this.#files.splice(this.#current, 1)
      this.#show(Math.max(0, this.#current - 1))
      changed()
    })
  }

  get files(): readonly GivenFile[] {
    return this.#files.map(({ path, text }) => ({ path, text }))
  }

  /** The main file, or the folder of a site without one. */
  get start(): string {
    return this.#start
  }

  fill(files: readonly GivenFile[], start: string): void {
    this.#files = files.map((file) => ({ ...file }))
    this.#start = start
    this.#marks = []
    this.#show(0)
  }

  mark(marks: readonly Mark[]): void {
    this.#marks = marks
    this.#tab()
    this.#number()
  }

  /** Shows a line of a file, selected. */
  open(path: string, line: number): void {
    const index = this.#files.findIndex((file) => file.path === path)
    if (index < 0) return
    if (index !== this.#current) this.#show(index)
    const lines = this.#text.value.split('\n')
    const before = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0)
    this.#text.focus()
    this.#text.setSelectionRange(before, before + (lines[line - 1]?.length ?? 0))
    const height = this.#text.scrollHeight / Math.max(lines.length, 1)
    this.#text.scrollTop = Math.max(0, (line - 4) * height)
    this.#text.scrollIntoView({ block: 'nearest' })
  }

  #show(index: number): void {
    this.#current = index
    const file = this.#files[index]
    this.#path.value = file.path
    this.#text.value = file.text
    this.#text.scrollTop = 0
    this.#remove.disabled = this.#files.length === 1 || file.path === this.#start
    this.#tab()
    this.#number()
  }

  #tab(): void {
    const buttons = this.#files.map(({ path }, index) => {
      const isWrong = this.#marks.some(({ file, kind }) => file === path && kind === 'error')
      const pressed = { 'aria-pressed': String(index === this.#current), class: isWrong ? 'wrong' : '' }
      const button = element('button', { type: 'button', title: path, ...pressed }, this.#shortName(path))
      if (isWrong) button.setAttribute('aria-label', `${path}, with errors`)
      button.addEventListener('click', () => this.#show(index))
      return button
    })
    const add = element('button', { type: 'button', class: 'add' }, '+ .htaccess')
    add.addEventListener('click', () => this.#add('.htaccess'))
    const other = element('button', { type: 'button', class: 'add' }, '+ file')
    other.addEventListener('click', () => this.#add('index.html'))
    this.#tabs.replaceChildren(...buttons, add, other)
    this.#role.textContent = this.#roleOf(this.#files[this.#current].path)
  }

  #roleOf(path: string): string {
    if (path === this.#start) return 'The configuration: it includes the others, where it says so.'
    if (!path.startsWith('/')) return 'Write the whole path, from the first slash.'
    if (path.endsWith('/.htaccess')) return 'Read where AllowOverride permits it.'
    return /\.conf$/.test(path) ? 'Read where an Include names it.' : 'A file that rules or requests name.'
  }

  /** The last part of a path, with its folder where several files share the name. */
  #shortName(path: string): string {
    const parts = path.split('/')
    const name = parts.at(-1) ?? path
    const isShared = this.#files.filter((file) => file.path.endsWith(`/${name}`)).length > 1
    return isShared ? parts.slice(-2).join('/') : name
  }

  /** Adds a file in the folder of the site, under a name that is free. */
  #add(name: string): void {
    const root = this.#siteFolder()
    const taken = new Set(this.#files.map(({ path }) => path))
    let path = `${root}/${name}`
    for (let count = 2; taken.has(path); count++)
      path = `${root}/${name === '.htaccess' ? `folder${count}/${name}` : `page${count}.html`}`
    this.#files.push({ path, text: '' })
    this.#show(this.#files.length - 1)
    this.#path.focus()
    this.#changed()
  }

  #siteFolder(): string {
    const main = this.#files.find(({ path }) => path === this.#start)
    if (main === undefined) return this.#start
    return /^\s*DocumentRoot\s+"?(\/[^"\n]*?)\/?"?\s*$/im.exec(main.text)?.[1] ?? '/var/www/html'
  }

  #number(): void {
    const { path } = this.#files[this.#current]
    const marks = new Map<number, Mark>()
    for (const mark of this.#marks)
      if (mark.file === path && (marks.get(mark.line)?.kind !== 'error' || mark.kind === 'error')) marks.set(mark.line, mark)
    const count = this.#text.value.split('\n').length
    const lines = Array.from({ length: count }, (_, index) => {
      const mark = marks.get(index + 1)
      return mark === undefined
        ? element('span', {}, String(index + 1))
        : element('span', { class: mark.kind, title: mark.message }, String(index + 1))
    })
    // Space below the last number, where the text has its scroll bar.
    this.#gutter.replaceChildren(...lines, element('span', {}, '\u00a0'), element('span', {}, '\u00a0'))
    this.#gutter.scrollTop = this.#text.scrollTop
  }
}
