import { curlCommand } from '../curl-command.ts'
import type { Palette } from '../render/palette.ts'
import { CHANGE_KINDS, type ChangedDecision, type ChangeKind } from './changed-decisions.ts'

const TITLES: Readonly<Record<ChangeKind, string>> = {
  opened: 'Now open',
  broken: 'Now an error',
  closed: 'Now refused',
  other: 'Refused differently, or for another user',
}

const MOST_SHOWN = 5

/** Changed decisions for a terminal. */
export function changedDecisionsText(changes: readonly ChangedDecision[], palette: Palette): string {
  return byKind(changes)
    .flatMap(([kind, group]) => [
      '',
      kind === 'closed' ? palette.waiting(palette.strong(TITLES[kind])) : palette.bad(palette.strong(TITLES[kind])),
      ...group.flatMap((change) => [
        `  ${change.target}: ${change.before.status} -> ${change.after.status} ${whom(change)}`,
        `    before: ${change.before.why}${placesOf(change.before.rules)}`,
        `    after:  ${change.after.why}${placesOf(change.after.rules)}`,
        `    ${palette.faint(curlCommand(change.example.question))}`,
      ]),
    ])
    .join('\n')
    .trimStart()
}

/** Changed decisions as a comment of a code review. Text of configurations is code, so that it is no markup. */
export function changedDecisionsMarkdown(changes: readonly ChangedDecision[]): string {
  if (changes.length === 0) return 'No decision about access changes.\n'
  return `${byKind(changes)
    .flatMap(([kind, group]) => [
      `### ${TITLES[kind]} (${group.length})`,
      '',
      '| Request | Before | After | For | Rules now |',
      '| ------- | ------ | ----- | --- | --------- |',
      ...group.map(
        (change) =>
          `| ${code(`${change.methods.join(' ')} ${change.target}`)} | ${change.before.status} | **${change.after.status}** | ${cell(whom(change))} | ${
            change.after.rules.map(code).join(', ') || 'none'
          } |`,
      ),
      '',
    ])
    .join('\n')}`
}

function byKind(changes: readonly ChangedDecision[]): [ChangeKind, readonly ChangedDecision[]][] {
  return CHANGE_KINDS.flatMap((kind): [ChangeKind, readonly ChangedDecision[]][] => {
    const group = changes.filter((change) => change.kind === kind)
    return group.length === 0 ? [] : [[kind, group]]
  })
}

/** `for 10.0.0.1, 192.0.2.1; without credentials, alice`. */
function whom({ clients, users }: ChangedDecision): string {
  return `from ${some(clients)}; ${some(users.map((user) => user ?? 'without credentials'))}`
}

function some(words: readonly string[]): string {
  const more = words.length - MOST_SHOWN
  return `${words.slice(0, MOST_SHOWN).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

function placesOf(rules: readonly string[]): string {
  return rules.length === 0 ? '' : ` (${rules.join(', ')})`
}

function code(text: string): string {
  const safe = text.replace(/[\x00-\x1f\x7f]/g, '?').replaceAll('|', '\\|')
  return safe.includes('`') ? `\`\` ${safe} \`\`` : `\`${safe}\``
}

function cell(text: string): string {
  return text.replace(/[\x00-\x1f\x7f]/g, '?').replace(/[|<>&*_`[\]\\]/g, (character) => `&#${character.charCodeAt(0)};`)
}
