import type { DirectiveItem, SectionItem } from '@gatewright/config'
import type { BoundConfiguration } from '@gatewright/core'
import type { ConfigFiles } from '../site/config-files.ts'
import { isForOlder } from '../site/guard.ts'

/** A directive with the sections around it, outermost first. */
export interface StandingLine {
  readonly file: string
  readonly item: DirectiveItem
  readonly parents: readonly SectionItem[]
}

/**
 * The effective directives of a configuration: those outside of guards that are false or that only older
 * servers read.
 */
export class StandingLines {
  readonly #lines = new Map<string, StandingLine[]>()
  readonly #skipped: ReadonlySet<string>

  /** @param originalLine the line in `files` of a line that the configuration knows */
  constructor(files: ConfigFiles, configuration: BoundConfiguration, originalLine: (file: string, line: number) => number) {
    this.#skipped = new Set(configuration.skippedBodies.map(({ file, line }) => `${file}:${originalLine(file, line)}`))
    for (const { path: file, item, parents } of files.items()) {
      if (item.kind !== 'directive' || !this.isRead(file, parents)) continue
      const name = item.name.toLowerCase()
      const known = this.#lines.get(name) ?? []
      known.push({ file, item, parents })
      this.#lines.set(name, known)
    }
  }

  /** All of that name, in the order of files and lines. */
  named(...names: readonly string[]): StandingLine[] {
    return names.flatMap((name) => this.#lines.get(name.toLowerCase()) ?? [])
  }

  has(file: string, item: DirectiveItem): boolean {
    return this.named(item.name).some((line) => line.file === file && line.item === item)
  }

  /** Whether the content of these sections is effective. */
  isRead(file: string, parents: readonly SectionItem[]): boolean {
    return parents.every((section) => !isForOlder(section) && !this.#skipped.has(`${file}:${section.line ?? 0}`))
  }
}

/** A directive on one line, as people write it. */
export function lineText({ name, text }: Pick<DirectiveItem, 'name' | 'text'>): string {
  return `${name} ${text}`.trim()
}
