import { type Conversation, describe } from './conversation.ts'
import { knownDifference } from './known-differences.ts'
import { nghttp2Verdict } from './nghttp2-verdict.ts'
import { type EngineModule, ourVerdict } from './our-verdict.ts'
import { randomConversation } from './random-conversation.ts'
import { type Verdict, wordsOf } from './verdict.ts'

export interface CampaignOptions {
  readonly seed: number
  /** Number of the first conversation. */
  readonly first: number
  /** Ends after so many frames. */
  readonly frames: number
  /** Ends after so many divergences. */
  readonly findings: number
}

export interface Divergence {
  readonly index: number
  readonly ours: string
  readonly nghttp2: string
  /** The shortest conversation that shows it. */
  readonly conversation: Conversation
}

export interface Campaign {
  readonly conversations: number
  readonly frames: number
  /** Conversations after which both connections live. */
  readonly alive: number
  /** By the name of the known difference. */
  readonly known: ReadonlyMap<string, number>
  readonly found: readonly Divergence[]
}

/** Compares what both servers make of random conversations. */
export async function campaign(module: EngineModule, options: CampaignOptions): Promise<Campaign> {
  const found: Divergence[] = []
  const known = new Map<string, number>()
  let frames = 0
  let alive = 0
  let index = options.first
  for (; frames < options.frames && found.length < options.findings; index++) {
    const conversation = randomConversation(options.seed, index)
    frames += conversation.length
    const verdicts = await compare(module, conversation)
    if (verdicts.ours.connection === 'alive') alive++
    if (agree(verdicts)) continue
    const name = knownDifference(conversation, verdicts.ours, verdicts.nghttp2)
    if (name !== null) {
      known.set(name, (known.get(name) ?? 0) + 1)
      continue
    }
    const shortest = await shrink(module, conversation)
    const { ours, nghttp2 } = await compare(module, shortest)
    found.push({ index, ours: wordsOf(ours), nghttp2: wordsOf(nghttp2), conversation: shortest })
  }
  return { conversations: index - options.first, frames, alive, known, found }
}

interface Verdicts {
  readonly ours: Verdict
  readonly nghttp2: Verdict
}

function agree({ ours, nghttp2 }: Verdicts): boolean {
  return wordsOf(ours) === wordsOf(nghttp2)
}

async function compare(module: EngineModule, conversation: Conversation): Promise<Verdicts> {
  return { ours: await ourVerdict(module, conversation), nghttp2: await nghttp2Verdict(conversation) }
}

/** Leaves out frames as long as a divergence is left that is not known. */
async function shrink(module: EngineModule, conversation: Conversation): Promise<Conversation> {
  for (let at = 0; at < conversation.length; at++) {
    const shorter = conversation.filter((_, place) => place !== at)
    const verdicts = await compare(module, shorter)
    if (!agree(verdicts) && knownDifference(shorter, verdicts.ours, verdicts.nghttp2) === null) return shrink(module, shorter)
  }
  return conversation
}

/** A divergence with what reproduces it. */
export function report({ index, ours, nghttp2, conversation }: Divergence, seed: number): string {
  return `conversation ${index} (--seed ${seed} --first ${index} --frames 1)\n  ours    ${ours}\n  nghttp2 ${nghttp2}\n${describe(conversation)}`
}
