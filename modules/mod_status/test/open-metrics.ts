/** A metric family, as a strict parser of OpenMetrics 1.0 reads it. */
export interface ParsedFamily {
  readonly name: string
  type: string
  unit: string | null
  help: string | null
  readonly samples: ParsedSample[]
}

export interface ParsedSample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*'
const LABEL = '([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\\\\n]|\\\\["\\\\n])*)"'
const NUMBER = '[+-]?(?:[0-9]+(?:\\.[0-9]*)?(?:[eE][+-]?[0-9]+)?|\\.[0-9]+(?:[eE][+-]?[0-9]+)?|[iI]nf(?:inity)?|NaN)'
const METADATA = new RegExp(`^# (TYPE|UNIT|HELP) (${NAME})(?: (.*))?$`)
const SAMPLE = new RegExp(`^(${NAME})(?:\\{((?:${LABEL}(?:,${LABEL})*)?)\\})? (${NUMBER})$`)

/** Suffixes of sample names for each type of family. */
const SUFFIXES: Readonly<Record<string, readonly string[]>> = {
  counter: ['_total', '_created'],
  gauge: [''],
  histogram: ['_bucket', '_count', '_sum', '_created'],
  info: ['_info'],
  unknown: [''],
}

/**
 * Parses an exposition. Everything that the specification forbids is an error. @throws Error with the line
 */
export function parseOpenMetrics(text: string): ReadonlyMap<string, ParsedFamily> {
  if (!text.endsWith('# EOF\n')) throw new Error('the last line is not # EOF')
  const lines = text.slice(0, -'# EOF\n'.length).split('\n')
  if (lines.pop() !== '') throw new Error('a line does not end with a line feed')
  const families = new Map<string, ParsedFamily>()
  let current: ParsedFamily | null = null
  for (const line of lines) {
    const metadata = METADATA.exec(line)
    if (metadata !== null) current = readMetadata(families, current, metadata, line)
    else readSample(current, line)
  }
  for (const family of families.values()) checkFamily(family)
  return families
}

function readMetadata(
  families: Map<string, ParsedFamily>,
  current: ParsedFamily | null,
  [, kind, name, rest = '']: RegExpExecArray,
  line: string,
): ParsedFamily {
  let family = families.get(name)
  if (family !== undefined && family !== current) throw new Error(`a family occurs twice: ${line}`)
  if (family === undefined) {
    family = { name, type: 'unknown', unit: null, help: null, samples: [] }
    families.set(name, family)
  }
  if (family.samples.length > 0) throw new Error(`metadata follows samples: ${line}`)
  if (kind === 'TYPE') {
    if (SUFFIXES[rest] === undefined) throw new Error(`no type: ${line}`)
    family.type = rest
  } else if (kind === 'UNIT') {
    if (family.unit !== null) throw new Error(`a second unit: ${line}`)
    if (!name.endsWith(`_${rest}`)) throw new Error(`the name does not end with its unit: ${line}`)
    family.unit = rest
  } else {
    if (family.help !== null) throw new Error(`a second help: ${line}`)
    family.help = rest
  }
  return family
}

function readSample(family: ParsedFamily | null, line: string): void {
  const parts = SAMPLE.exec(line)
  if (parts === null || family === null) throw new Error(`no sample: ${line}`)
  const [name, pairs = ''] = [parts[1], parts[2]]
  const suffix = SUFFIXES[family.type].find((end) => name === family.name + end)
  if (suffix === undefined) throw new Error(`not a sample of ${family.name}: ${line}`)
  const labels: Record<string, string> = {}
  for (const [, label, value] of pairs.matchAll(new RegExp(LABEL, 'g'))) {
    if (Object.hasOwn(labels, label)) throw new Error(`a label occurs twice: ${line}`)
    labels[label] = value.replace(/\\(["\\n])/g, (_, character: string) => (character === 'n' ? '\n' : character))
  }
  const value = Number(parts.at(-1)?.replace(/^([+-]?)inf(inity)?$/i, '$1Infinity'))
  if (suffix !== '' && !(value >= 0)) throw new Error(`a sum or count is not a positive number: ${line}`)
  family.samples.push({ name, labels, value })
}

function checkFamily(family: ParsedFamily): void {
  const seen = new Set<string>()
  for (const { name, labels } of family.samples) {
    const identity = `${name} ${JSON.stringify(Object.entries(labels).sort())}`
    if (seen.has(identity)) throw new Error(`two samples of ${identity}`)
    seen.add(identity)
  }
  if (family.type === 'histogram') checkHistogram(family)
}

/** Those of one set of labels stand together, and are a histogram of their own. */
function checkHistogram({ name, samples }: ParsedFamily): void {
  const sets = new Map<string, ParsedSample[]>()
  let last = ''
  for (const sample of samples) {
    const { le: _bound, ...labels } = sample.labels
    const set = JSON.stringify(Object.entries(labels).sort())
    const known = sets.get(set)
    if (known !== undefined && set !== last) throw new Error(`the samples of ${name} with ${set} do not stand together`)
    if (known === undefined) sets.set(set, [sample])
    else known.push(sample)
    last = set
  }
  for (const ofSet of sets.values()) checkSeries(name, ofSet)
}

function checkSeries(name: string, samples: readonly ParsedSample[]): void {
  const buckets = samples.filter((sample) => sample.name === `${name}_bucket`)
  const bounds = buckets.map(({ labels }) => (labels.le === '+Inf' ? Number.POSITIVE_INFINITY : Number(labels.le)))
  if (bounds.at(-1) !== Number.POSITIVE_INFINITY) throw new Error(`${name} has no last bucket`)
  for (let i = 1; i < buckets.length; i++) {
    if (bounds[i] <= bounds[i - 1]) throw new Error(`bounds of ${name} do not rise`)
    if (buckets[i].value < buckets[i - 1].value) throw new Error(`counts of ${name} fall`)
  }
  const count = samples.find((sample) => sample.name === `${name}_count`)
  if (count?.value !== buckets.at(-1)?.value) throw new Error(`${name}_count is not that of the last bucket`)
}
