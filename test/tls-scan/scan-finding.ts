/** What a scanner says about one property of a server. */
export interface ScanFinding {
  /** The property. */
  readonly about: string
  /** What it found. */
  readonly text: string
  readonly verdict: 'good' | 'bad' | 'expected'
}
